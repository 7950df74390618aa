import { openStorage } from '../../src/app/open-storage.js';
import type { Payment, PaymentState } from '../../src/payments/payment.js';
import type { PaymentStore } from '../../src/payments/store.js';
import { formatMoment, formatPhone, formatTenge } from '../../src/terminal/formats.js';
import type { TableColumn } from '../../src/terminal/table.js';
import type { Command, CommandInput } from '../command.js';
import { configOf } from '../config-options.js';
import { readChoice } from '../flags.js';
import { tableText } from '../print-table.js';
import { payOptions } from './pay-context.js';
import { paymentJson } from './payment-view.js';
import { withTroubleLog } from './trouble-log.js';

const states: readonly PaymentState[] = ['open', 'ended', 'unknown'];

export const command: Command = {
  description:
    'List the payments made with this data folder or database, the newest first: open ones are watched, ended ones have an outcome, unknown ones were given up on after 24 hours without an answer.',
  options: [
    { flags: '--state <state>', description: 'only in this state', choices: states },
    ...payOptions,
  ],
  examples: [
    { command: 'msgsite pay payments --state open', description: 'What is being waited for?' },
    { command: 'msgsite pay payments --json', description: 'All of them, for a script' },
  ],
  async run(context, input) {
    const config = configOf(context, input);
    const { clock } = context;
    const payments = await withTroubleLog(context, async (log) => {
      const storage = await openStorage('read', { config, clock, log, label: 'pay' });
      try {
        return await collect((await storage.payments()).payments, input);
      } finally {
        await storage.close();
      }
    });
    context.output.result({ payments: payments.map(paymentJson) }, () => {
      if (payments.length === 0) return 'No payments.';
      return tableText(context, payments, paymentColumns(config.providerZone));
    });
  },
};

async function collect(store: Pick<PaymentStore, 'list'>, input: CommandInput): Promise<Payment[]> {
  const found: Payment[] = [];
  const only = readChoice(input, 'state', states);
  for (const state of only ? [only] : states) {
    for await (const payment of store.list(state)) found.push(payment);
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
