import type { Payment, PaymentState } from '../../src/payments/payment.js';
import { formatTenge } from '../../src/terminal/money.js';
import { formatPhone } from '../../src/terminal/phone.js';
import type { TableColumn } from '../../src/terminal/table.js';
import { formatMoment } from '../../src/terminal/time.js';
import type { Command } from '../command.js';
import { tableText } from '../print-table.js';
import { paymentJson } from './payment-view.js';
import { type Till, tillOptions, withTill } from './till.js';

const states: readonly PaymentState[] = ['open', 'ended', 'unknown'];

export const command: Command = {
  description:
    'List the payments made with this data folder or database, the newest first: open ones are watched, ended ones have an outcome, unknown ones were given up on after 24 hours without an answer.',
  options: [
    { flags: '--state <state>', description: 'only in this state', choices: states },
    ...tillOptions,
  ],
  examples: [
    { command: 'msgsite pay payments --state open', description: 'What is being waited for?' },
    { command: 'msgsite pay payments --json', description: 'All of them, for a script' },
  ],
  run: (context, input) =>
    withTill(context, input, async (till) => {
      const payments = await collect(till);
      context.output.result({ payments: payments.map(paymentJson) }, () => {
        if (payments.length === 0) return 'No payments.';
        return tableText(context, payments, paymentColumns(till.zone));
      });
      return 0;
    }),
};

async function collect({ payments, input }: Till): Promise<Payment[]> {
  const found: Payment[] = [];
  for (const state of states) {
    if (input.options.state !== undefined && input.options.state !== state) continue;
    for await (const payment of payments.listPayments(state)) found.push(payment);
  }
  return found.sort((a, b) => b.createdAt - a.createdAt || b.id.localeCompare(a.id));
}

function paymentColumns(zone: string): readonly TableColumn<Payment>[] {
  return [
    { title: 'CREATED', optional: 1, text: ({ createdAt }) => formatMoment(createdAt, zone) },
    { title: 'ID', text: ({ id }) => id },
    { title: 'TYPE', optional: 3, text: ({ type }) => type },
    { title: 'AMOUNT', align: 'right', text: ({ amount }) => formatTenge(amount) },
    { title: 'STATE', text: ({ state, outcome }) => outcome ?? state },
    { title: 'STATUS', shrinkTo: 12, optional: 2, text: ({ status }) => status },
    {
      title: 'CLIENT',
      optional: 4,
      text: ({ clientPhone = '' }) => formatPhone(clientPhone),
    },
  ];
}
