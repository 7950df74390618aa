import { AppError } from '../../src/base/errors.js';
import type { Adopted, Wanted } from '../../src/payments/intents/adopt.js';
import { intentView, paymentView } from '../../src/payments/payment-view.js';
import { maskPhone } from '../../src/payments/phone.js';
import { formatMoment, formatTenge } from '../../src/terminal/formats.js';
import type { Command, CommandInput } from '../command.js';
import { readChoice, readText } from '../flags.js';
import { nextCommand } from '../next-command.js';
import { paymentTypes, questioner, requireId } from './flags.js';
import {
  askBank,
  type CashierContext,
  type PayContext,
  payOptions,
  withCashier,
  withPay,
} from './pay-context.js';
import { findSession } from './session-file.js';

export const command: Command = {
  description:
    'Take a payment in that the provider has and that is not stored here: it is watched from then on, and its webhook is sent. Or say, with --none, that what is in doubt was never made. On a terminal both ask for confirmation.',
  arguments: [{ name: '[id]', description: 'the operation’s id at the provider' }],
  options: [
    {
      flags: '--type <type>',
      description: 'what it is, where the provider does not say',
      choices: paymentTypes,
    },
    { flags: '--intent <intent>', description: 'the request in doubt that it has come of' },
    { flags: '--none <intent>', description: 'nothing has come of this request in doubt' },
    { flags: '-y, --yes', description: 'do not ask for confirmation' },
    ...payOptions,
  ],
  examples: [
    { command: 'msgsite pay adopt 1795230000', description: 'Watch a payment that got lost' },
    {
      command: 'msgsite pay adopt --none 5f0c3a9e21d47b8860c1d2e3 --yes',
      description: 'The provider says that it was never made',
    },
  ],
  async run(context, input) {
    const { arguments: words, options } = input;
    const none = readIntent(input, 'none');
    const intentId = readIntent(input, 'intent');
    if (none === undefined) {
      if (words[0] === undefined) throw new AppError('usage', 'Name an operation’s id, or --none.');
      const id = requireId(input);
      const type = readChoice(input, 'type', paymentTypes);
      const wanted = { id, ...(type ? { type } : {}), ...(intentId ? { intentId } : {}) };
      return withCashier(context, input, (pay) => adopt(pay, wanted));
    }
    if (words[0] !== undefined || intentId !== undefined || options.type !== undefined) {
      throw new AppError('usage', '--none takes an intent and nothing else: no id, no --type.');
    }
    return withPay(context, input, (pay) => closeIntent(pay, none));
  },
};

function readIntent(input: CommandInput, name: 'none' | 'intent'): string | undefined {
  const text = readText(input, name);
  if (text === undefined || /^[0-9a-f]{24}$/.test(text)) return text;
  throw new AppError('usage', `--${name} ${text} is no intent; intents are 24 hex digits.`, {
    hint: 'msgsite pay payments --state in_doubt lists them.',
  });
}

/** On a terminal somebody is asked; elsewhere whoever wrote the command has decided. */
async function confirmed({ context, input }: PayContext, question: string): Promise<void> {
  const terminal = input.options.yes === true ? undefined : questioner(context);
  if (!terminal) return;
  const { confirm } = await import('../../src/terminal/ask.js');
  if (await confirm(terminal, question, false)) return;
  throw new AppError('refused', 'Nothing was changed.');
}

async function adopt(pay: CashierContext, wanted: Wanted): Promise<undefined> {
  const { context, payments, cashier } = pay;
  const { organizationId } = cashier.session;
  const known = await payments.findPayments({ id: wanted.id, type: wanted.type, organizationId });
  if (known.length === 0) {
    await confirmed(pay, `Store and watch the operation ${wanted.id} as a payment made here?`);
  }
  const { payment, isNew, settled } = await askBank(pay, 'Asking the bank', () =>
    payments.adoption.adopt(cashier, wanted),
  );
  const intents = settled.map(({ id }) => id);
  context.output.result({ payment: paymentView(payment), isNew, settled: intents }, () =>
    describe(pay, { payment, isNew, settled }),
  );
}

function describe({ context, input }: PayContext, { payment, isNew, settled }: Adopted): string {
  const { green } = context.output.colors;
  const { id, amount, type, state, outcome, status } = payment;
  const known =
    settled.length > 0 ? 'Known here already' : 'Known here already; nothing was changed';
  const head = isNew ? green('✓ Taken in') : known;
  const lines = [
    head,
    `Payment  ${id} (${type})`,
    `Amount   ${formatTenge(amount)}`,
    `Status   ${status} (${outcome ?? state})`,
  ];
  for (const { id: intent, kind } of settled) lines.push(`Settled  ${intent} (${kind})`);
  if (state === 'open') {
    lines.push(
      'A running serve watches it; without one:',
      `  ${nextCommand(input, 'pay wait', [id])}`,
    );
  }
  return lines.join('\n');
}

async function closeIntent(pay: PayContext, id: string): Promise<undefined> {
  const { context, input, payments, zone } = pay;
  const intent = await payments.intents.find(id);
  if (intent?.state === 'in_doubt') {
    const { kind, amount, createdAt } = intent;
    const what = `${kind} of ${formatTenge(amount)}, ${formatMoment(createdAt, zone)}`;
    await confirmed(pay, `Was this never made at the provider? ${what}`);
  }
  const phone = (await findSession(context, input))?.phone;
  const closed = await payments.adoption.closeIntent(id, phone ? maskPhone(phone) : 'operator');
  context.output.result({ intent: { ...intentView(closed), state: closed.state } }, () => {
    const { green } = context.output.colors;
    return [
      green('✓ Closed as not made'),
      `Intent   ${closed.id} (${closed.kind})`,
      `Amount   ${formatTenge(closed.amount)}`,
      'The request may be made again, with the same key too.',
    ].join('\n');
  });
}
