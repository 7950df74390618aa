import { AppError } from '../../src/base/errors.js';
import { exactInteger } from '../../src/json/exact-json.js';
import { toTiyns } from '../../src/payments/amount.js';
import type { ProviderAnswer } from '../../src/payments/providers/provider.js';
import { formatTenge } from '../../src/terminal/formats.js';
import { confirm, type Terminal } from '../../src/terminal/question.js';
import type { Command, CommandContext } from '../command.js';
import { moveMoney } from './doubt.js';
import { askAmount, plainOption, questioner, readGivenAmount, requireId } from './flags.js';
import { readRow, type ShownOperation } from './operation-rows.js';
import { askBank, type CashierContext, payOptions, withCashier } from './pay-context.js';
import { refundKey } from './refund-key.js';

export const command: Command = {
  description:
    'Return an amount, all or part, of a paid operation. Asks for confirmation; without a terminal it needs --yes. Exit code 7: the bank’s answer was not clear; repeating the command is safe.',
  arguments: [{ name: '<id>', description: 'the operation’s id' }],
  options: [
    { flags: '--amount <tenge>', description: 'how much to return, such as 500 or 500,50' },
    {
      flags: '--new',
      description: 'another refund, also where one of this payment and amount is in doubt',
    },
    { flags: '-y, --yes', description: 'do not ask for confirmation' },
    plainOption,
    ...payOptions,
  ],
  examples: [
    { command: 'msgsite pay refund 1795230000 --amount 500', description: 'Return a part' },
    {
      command: 'msgsite pay refund 1795230000 --amount 1500 --yes --json',
      description: 'Return it from a script',
    },
  ],
  async run(context, input) {
    const id = requireId(input);
    const given = readGivenAmount(input);
    const terminal = questioner(context);
    if (given === undefined && !terminal) throw new AppError('usage', '--amount is missing.');
    if (input.options.yes !== true && !terminal) {
      throw new AppError('usage', '--yes is missing: without a terminal nobody can confirm.');
    }
    return withCashier(context, input, (pay) => refund(pay, { id, given, terminal }));
  },
};

interface Asked {
  /** The operation's id. */
  readonly id: string;
  /** Tenge; to be asked for where it is undefined. */
  readonly given: number | undefined;
  /** Undefined where nobody can be asked. */
  readonly terminal: Terminal | undefined;
}

async function refund(pay: CashierContext, { id, given, terminal }: Asked): Promise<undefined> {
  const { context, input } = pay;
  const isAsked = terminal && (input.options.yes !== true || given === undefined);
  const operation = isAsked ? await lookUp(pay, id) : undefined;
  const check = (amount: number) => operation && assertLeft(operation, { id, amount });
  if (given === undefined) check(0);
  const amount = given ?? (terminal ? await askAmount(terminal, leftOf(operation) ?? 0, check) : 0);
  const order = { qrOperationId: exactInteger(id), returnAmount: amount };
  const { key, note } = await refundKey(pay, order);
  if (note !== undefined) context.output.note(note);
  // What is in doubt may be among what was returned already.
  else check(amount);
  if (input.options.yes !== true && operation && terminal) {
    const question = questionOf(operation, { id, amount });
    if (!(await confirm(terminal, question, false))) {
      throw new AppError('refused', 'Nothing was returned.');
    }
  }
  const answer = await moveMoney(pay, {
    doing: 'Returning the money',
    key,
    words: doubtOf({ id, amount }),
    ask: (cashier) => cashier.refund(order, { key, isNew: note === undefined }),
  });
  context.output.result(answer, () => describeRefund(context, { id, amount }, answer));
}

async function lookUp(pay: CashierContext, id: string): Promise<ShownOperation> {
  return readRow(
    await askBank(pay, 'Looking up the payment', (cashier) =>
      cashier.operationDetails(exactInteger(id)),
    ),
  );
}

/** What can still be returned, in tenge; undefined where the bank does not say what was paid. */
function leftOf(operation: ShownOperation | undefined): number | undefined {
  if (operation?.amount === undefined) return undefined;
  const left = toTiyns(operation.amount) - toTiyns(operation.returned ?? 0);
  return Math.max(0, left) / 100;
}

/** Nobody is asked whether more is to be returned than is left. */
function assertLeft(operation: ShownOperation, { id, amount }: WantedRefund): void {
  const left = leftOf(operation);
  if (left === undefined) return;
  if (left === 0) {
    throw new AppError('refused', `Nothing is left to return of payment ${id}.`, {
      hint: `${formatTenge(operation.returned ?? 0)} of ${formatTenge(operation.amount ?? 0)} were returned already.`,
    });
  }
  if (toTiyns(amount) <= toTiyns(left)) return;
  throw new AppError(
    'refused',
    `${formatTenge(amount)} cannot be returned: ${formatTenge(left)} of payment ${id} are left.`,
  );
}

interface WantedRefund {
  /** The operation's id. */
  readonly id: string;
  /** Tenge. */
  readonly amount: number;
}

function doubtOf({ id, amount }: WantedRefund) {
  return {
    what: `It is not known whether ${formatTenge(amount)} of payment ${id} were returned`,
    advice: 'Repeating this command is safe: it uses the same key, and the money is returned once.',
  };
}

/** Shows what was paid by whom before money goes back. */
function questionOf(operation: ShownOperation, { id, amount }: WantedRefund): string {
  const { amount: paid, returned, client, date } = operation;
  const of = paid === undefined ? '' : ` of ${formatTenge(paid)}`;
  const before = returned === undefined ? '' : ` (${formatTenge(returned)} are returned already)`;
  const about = [`payment ${id}`, date, client].filter(Boolean).join(', ');
  return `Return ${formatTenge(amount)}${of}${before} to the client? ${about}`;
}

function describeRefund(
  { output }: CommandContext,
  { id, amount }: WantedRefund,
  { Data: data }: ProviderAnswer,
): string {
  const { AvailableAmount: left } = (data ?? {}) as { readonly AvailableAmount?: unknown };
  const lines = [output.colors.green(`✓ Returned  ${formatTenge(amount)}`), `Payment     ${id}`];
  if (typeof left === 'number') lines.push(`Left        ${formatTenge(left)}`);
  return lines.join('\n');
}
