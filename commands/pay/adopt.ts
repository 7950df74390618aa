import type { PaymentAdopted } from '#validators/gateway';
import { AppError } from '../../src/base/errors.js';
import type { AdoptionRequest } from '../../src/payments/intents/adopt.js';
import { confirm } from '../../src/terminal/ask.js';
import { formatMoment, formatTenge } from '../../src/terminal/formats.js';
import { withSpinner } from '../../src/terminal/spinner.js';
import type { Command, CommandInput } from '../command.js';
import { questioner, readChoice, readText } from '../flags.js';
import { nextCommand } from '../next-command.js';
import { paymentTypes, plainOption, requireId } from './flags.js';
import {
  type CashierContext,
  type PayContext,
  payOptions,
  withCashier,
  withPay,
} from './pay-context.js';
import { storedRefunds } from './payment-view.js';

export const command: Command = {
  description:
    'Adopt a payment that exists at the provider but is not stored here. msgsite then watches it and sends its webhooks. With --none, close a request in doubt as never made. On a terminal, both ask for confirmation.',
  arguments: [{ name: '[id]', description: 'the operation’s ID at the provider' }],
  options: [
    {
      flags: '--type <type>',
      description: 'the payment’s type, if the provider does not report it',
      choices: paymentTypes,
    },
    { flags: '--intent <intent>', description: 'the request in doubt that created the payment' },
    { flags: '--none <intent>', description: 'close this request in doubt as never made' },
    { flags: '-y, --yes', description: 'do not ask for confirmation' },
    plainOption,
    ...payOptions,
  ],
  examples: [
    { command: 'msgsite pay adopt 1795230000', description: 'Adopt and watch a payment' },
    {
      command: 'msgsite pay adopt --none 5f0c3a9e21d47b8860c1d2e3 --yes',
      description: 'Close a request that the provider never executed',
    },
  ],
  async run(context, input) {
    const { arguments: words, options } = input;
    const none = readIntent(input, 'none');
    const intentId = readIntent(input, 'intent');
    if (none === undefined) {
      if (words[0] === undefined) throw new AppError('usage', 'Specify an operation ID or --none.');
      const id = requireId(input);
      const type = readChoice(input, 'type', paymentTypes);
      const operation = { id, ...(type ? { type } : {}), ...(intentId ? { intentId } : {}) };
      return withCashier(context, input, (pay) => adopt(pay, operation));
    }
    if (words[0] !== undefined || intentId !== undefined || options.type !== undefined) {
      throw new AppError('usage', '--none cannot be combined with an ID, --type or --intent.');
    }
    return withPay(context, input, (pay) => closeIntent(pay, none));
  },
};

function readIntent(input: CommandInput, name: 'none' | 'intent'): string | undefined {
  const text = readText(input, name);
  if (text === undefined || /^[0-9a-f]{24}$/.test(text)) return text;
  throw new AppError(
    'usage',
    `${text} is not a valid intent ID for --${name}. An intent ID consists of 24 hexadecimal digits.`,
    {
      hint: 'Run msgsite pay payments --state in_doubt to list the intents.',
    },
  );
}

/** Asks for confirmation on a terminal, unless the command has --yes. */
async function confirmed({ context, input }: PayContext, question: string): Promise<void> {
  const terminal = input.options.yes === true ? undefined : questioner(context);
  if (!terminal) return;
  if (await confirm(terminal, question, false)) return;
  throw new AppError('refused', 'Nothing was changed.');
}

async function adopt(pay: CashierContext, operation: AdoptionRequest): Promise<undefined> {
  const { context } = pay;
  if (!(await isKnown(pay, operation))) {
    await confirmed(
      pay,
      `Store and watch operation ${operation.id} as a payment created here? This also settles a matching request in doubt.`,
    );
  }
  const adopted = await withSpinner(pay.context, 'Contacting the bank', () =>
    pay.cashier.adopt(operation),
  );
  const { payment, isNew, settled } = adopted;
  const intents = settled.map(({ intent }) => intent);
  const [refund] = settled.filter(({ kind }) => kind === 'refund');
  const text = refund
    ? await describeAdoptedRefund(pay, { payment, refund, id: operation.id })
    : undefined;
  context.output.result({ payment, isNew, settled: intents }, () => text ?? describe(pay, adopted));
}

interface AdoptedRefund {
  readonly payment: PaymentAdopted['payment'];
  /** The request in doubt that the refund settles. */
  readonly refund: PaymentAdopted['settled'][number];
  /** The bank's ID of the refund. */
  readonly id: string;
}

async function describeAdoptedRefund(
  { context, records }: CashierContext,
  { payment, refund, id }: AdoptedRefund,
): Promise<string> {
  const rows = await storedRefunds(await records(), payment);
  const { amount } = rows.find((row) => row.id === id) ?? refund;
  const requested = amount === refund.amount ? '' : ` (${formatTenge(refund.amount)} requested)`;
  return [
    context.output.colors.green('✓ The refund was made'),
    `Payment  ${payment.paymentId} (${payment.type})`,
    `Returned ${formatTenge(amount)}${requested}`,
    `Settled  ${refund.intent} (refund)`,
  ].join('\n');
}

/** Returns whether the operation is already stored. */
async function isKnown(
  { records, cashier }: CashierContext,
  { id, type }: AdoptionRequest,
): Promise<boolean> {
  const { organizationId } = await cashier.facts();
  try {
    await (await records()).find({ id, type, organizationId });
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'not_found') return false;
    if (error.code === 'conflict') return true;
    throw error;
  }
}

function describe(
  { context, input }: PayContext,
  { payment, isNew, settled }: PaymentAdopted,
): string {
  const { green } = context.output.colors;
  const { paymentId: id, amount, type, state, outcome, status } = payment;
  const stored = settled.length > 0 ? 'Already stored' : 'Already stored; nothing was changed';
  const head = isNew ? green('✓ Adopted') : stored;
  const lines = [
    head,
    `Payment  ${id} (${type})`,
    `Amount   ${formatTenge(amount)}`,
    `Status   ${status} (${outcome ?? state})`,
  ];
  for (const { intent, kind } of settled) lines.push(`Settled  ${intent} (${kind})`);
  if (state === 'open') {
    lines.push(
      'A running msgsite serve watches it. Otherwise, run:',
      `  ${nextCommand(input, 'pay wait', [id])}`,
    );
  }
  return lines.join('\n');
}

async function closeIntent(pay: PayContext, id: string): Promise<undefined> {
  const { context, gateway } = pay;
  const records = await pay.records();
  const query = { state: 'in_doubt', kinds: ['qr', 'invoice', 'refund'], limit: Infinity } as const;
  const doubtful = (await records.intents(query)).rows.find(({ intent }) => intent === id);
  if (doubtful) {
    const { kind, amount, createdAt } = doubtful;
    const since = formatMoment(Date.parse(createdAt), await gateway.zone());
    const request = `${kind} of ${formatTenge(amount)}, ${since}`;
    await confirmed(pay, `Close this request as never made? ${request}`);
  }
  const closed = await records.closeIntent(id);
  const { intent, kind, amount, key, createdAt, state } = closed;
  context.output.result({ intent: { intent, kind, amount, key, createdAt, state } }, () => {
    const { green } = context.output.colors;
    return [
      green('✓ Closed as never made'),
      `Intent   ${intent} (${kind})`,
      `Amount   ${formatTenge(amount)}`,
      'The request can be repeated, even with the same key.',
    ].join('\n');
  });
}
