import { AppError } from '../../src/base/errors.js';
import { exactInteger } from '../../src/json/exact-json.js';
import { toTiyns } from '../../src/payments/amount.js';
import type { ProviderAnswer } from '../../src/payments/providers/provider.js';
import { confirm } from '../../src/terminal/ask.js';
import { formatMoment, formatTenge } from '../../src/terminal/formats.js';
import type { Terminal } from '../../src/terminal/question.js';
import { withSpinner } from '../../src/terminal/spinner.js';
import type { Command, CommandContext } from '../command.js';
import { questioner } from '../flags.js';
import { askAmount, plainOption, readAmountFlag, requireId } from './flags.js';
import { readRow, type ShownOperation } from './operation-rows.js';
import { type CashierContext, moveMoney, payOptions, withCashier } from './pay-context.js';
import { type HeldKey, holdRefundKey } from './refund-key.js';

export const command: Command = {
  description:
    'Refund a paid operation in full or in part. Asks for confirmation. Without a terminal, --yes is required. Exit code 7 means that the bank’s response was not clear. It is then safe to repeat the command without --new.',
  arguments: [{ name: '<id>', description: 'the operation’s ID' }],
  options: [
    { flags: '--amount <tenge>', description: 'amount to refund, such as 500 or 500,50' },
    {
      flags: '--new',
      description:
        'make a new refund even if a refund of the same payment and amount is in progress or in doubt',
    },
    { flags: '-y, --yes', description: 'do not ask for confirmation' },
    plainOption,
    ...payOptions,
  ],
  examples: [
    {
      command: 'msgsite pay refund 1795230000 --amount 500',
      description: 'Refund part of a payment',
    },
    {
      command: 'msgsite pay refund 1795230000 --amount 1500 --yes --json',
      description: 'Refund in a script',
    },
  ],
  async run(context, input) {
    const id = requireId(input);
    const amount = readAmountFlag(input);
    const terminal = questioner(context);
    if (amount === undefined && !terminal) throw new AppError('usage', '--amount is missing.');
    if (input.options.yes !== true && !terminal) {
      throw new AppError(
        'usage',
        '--yes is missing. Without a terminal, the command cannot ask for confirmation.',
      );
    }
    return withCashier(context, input, (pay) => refund(pay, { id, amount, terminal }));
  },
};

interface Request {
  /** The operation's ID. */
  readonly id: string;
  /** The amount in tenge; undefined to prompt for it. */
  readonly amount: number | undefined;
  /** Undefined if the command cannot prompt. */
  readonly terminal: Terminal | undefined;
}

async function refund(
  pay: CashierContext,
  { id, terminal, ...request }: Request,
): Promise<undefined> {
  const { context, input, cashier } = pay;
  const qrOperationId = exactInteger(id);
  const amount = request.amount ?? (terminal ? await askForAmount(pay, id, terminal) : 0);
  const order = { qrOperationId, returnAmount: amount };
  const isAnother = input.options.new === true;
  const held = await holdRefundKey(pay, cashier, { order, isAnother });
  const note = await noteOf(pay, held);
  if (note !== undefined) context.output.note(note);
  if (terminal && input.options.yes !== true) {
    // The payment is looked up after the key was chosen. A refund made since then is either shown here or has this key.
    const operation = await lookUp(pay, id);
    // A refund with this key may already be included in the returned amount.
    if (note === undefined) assertLeft(operation, { id, amount });
    if (!(await confirm(terminal, questionOf(operation, { id, amount }), false))) {
      throw new AppError('refused', 'Nothing was returned.');
    }
  }
  await held.keep();
  const { key, isNew } = held;
  const words = doubtOf({ id, amount }, isAnother);
  const answer = await moveMoney(context, { doing: 'Returning the money', key, words }, () =>
    cashier.refund(order, { key, isNew }),
  ).catch(async (error: unknown) => {
    if (isRefusal(error)) await held.forget();
    throw error;
  });
  context.output.result(answer, () => describeRefund(context, { id, amount }, answer));
  await held.forget();
}

async function askForAmount(pay: CashierContext, id: string, terminal: Terminal): Promise<number> {
  const operation = await lookUp(pay, id);
  const check = (amount: number) => assertLeft(operation, { id, amount });
  check(0);
  return askAmount(terminal, leftOf(operation) ?? 0, check);
}

/** Returns a note about an earlier request for the same refund; undefined for a new refund. */
async function noteOf({ gateway }: CashierContext, held: HeldKey): Promise<string | undefined> {
  if (!held.earlier) {
    return held.isLeft
      ? 'An earlier run of this refund did not show its outcome. Its key is used again, so that the money is returned only once. Use --new to make a new refund.'
      : undefined;
  }
  const { state, createdAt } = held.earlier;
  const since = formatMoment(Date.parse(createdAt), await gateway.zone());
  switch (state) {
    case 'running':
      return `A refund of this payment and amount has been in progress since ${since}. Waiting for it, so that the money is returned only once. Use --new to make a new refund.`;
    case 'in_doubt':
      return `A refund of this payment and amount has been in doubt since ${since}. Its key is used again, so that the money is returned only once. Use --new to make a new refund.`;
    default:
      return `A refund of this payment and amount from ${since} was in doubt and has now been confirmed. Nothing is returned again. Use --new to make a new refund.`;
  }
}

/** Codes of errors that mean that nothing was returned and a retry would fail again. */
const refusals: ReadonlySet<string> = new Set([
  'bad_request',
  'validation_failed',
  'not_found',
  'refused',
  'provider_error',
]);

function isRefusal(error: unknown): boolean {
  return (
    error instanceof AppError && refusals.has(error.code) && error.fields.outcome !== 'unknown'
  );
}

async function lookUp(pay: CashierContext, id: string): Promise<ShownOperation> {
  return readRow(
    await withSpinner(pay.context, 'Looking up the payment', () =>
      pay.cashier.operationDetails(exactInteger(id)),
    ),
  );
}

/** Returns the refundable amount in tenge; undefined if the bank does not report the paid amount. */
function leftOf(operation: ShownOperation | undefined): number | undefined {
  if (operation?.amount === undefined) return undefined;
  const left = toTiyns(operation.amount) - toTiyns(operation.returned ?? 0);
  return Math.max(0, left) / 100;
}

/** Throws `refused` if the amount exceeds the refundable amount. */
function assertLeft(operation: ShownOperation, { id, amount }: RefundOrder): void {
  const left = leftOf(operation);
  if (left === undefined) return;
  if (left === 0) {
    throw new AppError('refused', `Payment ${id} has already been refunded in full.`, {
      hint: `${formatTenge(operation.returned ?? 0)} of ${formatTenge(operation.amount ?? 0)} were returned.`,
    });
  }
  if (toTiyns(amount) <= toTiyns(left)) return;
  throw new AppError(
    'refused',
    `${formatTenge(amount)} cannot be refunded. The refundable amount of payment ${id} is ${formatTenge(left)}.`,
  );
}

interface RefundOrder {
  /** The operation's ID. */
  readonly id: string;
  /** The amount in tenge. */
  readonly amount: number;
}

function doubtOf({ id, amount }: RefundOrder, isAnother: boolean) {
  const what = `It is not known whether ${formatTenge(amount)} of payment ${id} were returned`;
  const once = 'It uses the same key, so the money is returned only once.';
  const advice = isAnother
    ? `Repeat this command without --new. ${once} With --new, the money could be returned twice.`
    : `It is safe to repeat this command. ${once}`;
  return { what, advice };
}

/** Returns the question, with the payment, its customer and its earlier refunds. */
function questionOf(operation: ShownOperation, { id, amount }: RefundOrder): string {
  const { amount: paid, returned, client, date } = operation;
  const of = paid === undefined ? '' : ` of ${formatTenge(paid)}`;
  const before = returned === undefined ? '' : ` (${formatTenge(returned)} already returned)`;
  const about = [`payment ${id}`, date, client].filter(Boolean).join(', ');
  return `Return ${formatTenge(amount)}${of}${before} to the customer? ${about}`;
}

function describeRefund(
  { output }: CommandContext,
  { id, amount }: RefundOrder,
  { Data: data }: ProviderAnswer,
): string {
  const { AvailableAmount: left } = (data ?? {}) as { readonly AvailableAmount?: unknown };
  const lines = [output.colors.green(`✓ Returned  ${formatTenge(amount)}`), `Payment     ${id}`];
  if (typeof left === 'number') lines.push(`Left        ${formatTenge(left)}`);
  return lines.join('\n');
}
