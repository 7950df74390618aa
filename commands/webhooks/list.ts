import { openStorage } from '../../src/app/open-storage.js';
import type { AppError } from '../../src/base/errors.js';
import { silentLog } from '../../src/base/log.js';
import { type Delivery, deliveryStates } from '../../src/webhooks/delivery.js';
import { viewDelivery } from '../../src/webhooks/delivery-view.js';
import { findDeliveries } from '../../src/webhooks/webhooks.js';
import type { Command, CommandContext } from '../command.js';
import { configOf, configOptions } from '../config-options.js';
import { defaultLimit, readChoice, readLimit } from '../flags.js';
import { tableText } from '../print-table.js';
import { deliveryColumns } from './delivery-columns.js';
import { filterFlags, readFilter } from './filter-flags.js';

export const command: Command = {
  description: 'List stored webhook deliveries, the latest events first.',
  options: [
    ...filterFlags,
    { flags: '--state <state>', description: 'in this state', choices: deliveryStates },
    { flags: '--limit <n>', description: `show at most n (default ${defaultLimit}; 0 = all)` },
    ...configOptions('data', 'database'),
  ],
  examples: [
    { command: 'msgsite webhooks list --failed', description: 'What did not arrive' },
    { command: 'msgsite webhooks list --since 2h --json', description: 'The last two hours' },
  ],
  async run(context, input) {
    const config = configOf(context, input);
    const { clock, output } = context;
    const state = readChoice(input, 'state', deliveryStates);
    const filter = { ...readFilter(input, clock.now()), ...(state ? { state } : {}) };
    const latest = createLatest(readLimit(input));
    let total = 0;
    const listing = {
      ...(state ? { states: [state] } : {}),
      onDamaged: (error: AppError) => output.warn(error.message),
    };
    const who = { clock, log: silentLog(), label: 'webhooks list' };
    const storage = await openStorage('read', { config, ...who });
    try {
      const store = await storage.deliveries();
      for await (const delivery of findDeliveries(store, filter, listing)) {
        total += 1;
        latest.add(delivery);
      }
    } finally {
      await storage.close();
    }
    const deliveries = latest.sorted();
    output.result({ deliveries: deliveries.map(viewDelivery), total }, () =>
      describe(deliveries, total, context),
    );
  },
};

/** Keeps the latest few of any number of deliveries. */
function createLatest(limit: number) {
  let kept: Delivery[] = [];
  const sorted = () =>
    kept.sort((a, b) => (a.occurredAt < b.occurredAt ? 1 : a.occurredAt > b.occurredAt ? -1 : 0));
  return {
    add(delivery: Delivery) {
      kept.push(delivery);
      // Sorting once in a while keeps both memory and work small.
      if (kept.length > 2 * limit + 100) kept = sorted().slice(0, limit);
    },
    sorted: () => sorted().slice(0, limit),
  };
}

function describe(rows: readonly Delivery[], total: number, context: CommandContext): string {
  if (total === 0) return 'No deliveries.';
  const { colors } = context.output;
  const table = tableText(context, rows, deliveryColumns(colors));
  const more = `${rows.length} of ${total} shown; --limit 0 shows all.`;
  return rows.length < total ? `${table}\n${colors.dim(more)}` : table;
}
