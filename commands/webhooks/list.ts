import { openStorage } from '../../src/app/open-storage.js';
import { AppError } from '../../src/base/errors.js';
import { silentLog } from '../../src/base/log.js';
import { type Delivery, deliveryStates } from '../../src/events/delivery.js';
import type { StoredEvent } from '../../src/events/event.js';
import type { ReceiverStore } from '../../src/events/store.js';
import { shellWord } from '../../src/terminal/shell-word.js';
import { oneLine } from '../../src/terminal/table.js';
import { viewDelivery, viewEvent } from '../../src/webhooks/delivery-view.js';
import {
  reportedAfter,
  type SubscriptionStanding,
  standingOf,
} from '../../src/webhooks/receivers.js';
import { openSubscriptions } from '../../src/webhooks/subscriptions/subscription-source.js';
import { findDeliveries, findStoredEvents } from '../../src/webhooks/webhooks.js';
import type { Command, CommandContext } from '../command.js';
import { configOf, configOptions } from '../config-options.js';
import { readChoice } from '../flags.js';
import { limitOption, listText, readListLimit } from '../list.js';
import { settingsOf } from '../taken-settings.js';
import { deliveryColumns, filterFlags, type ListedRow, readFilter } from './filter-flags.js';

export const command: Command = {
  description:
    'List stored webhook deliveries, newest events first. Also lists events without a subscription, and disabled or failing receivers.',
  options: [
    ...filterFlags,
    {
      flags: '--state <state>',
      description: 'only deliveries in this state',
      choices: deliveryStates,
    },
    limitOption('show at most n'),
    ...configOptions(...settingsOf('webhooks list')),
  ],
  examples: [
    { command: 'msgsite webhooks list --failed', description: 'List undelivered webhooks' },
    {
      command: 'msgsite webhooks list --since 2h --json',
      description: 'Print the last two hours as JSON',
    },
  ],
  async run(context, input) {
    const config = configOf(context, input);
    const { clock, output } = context;
    const state = readChoice(input, 'state', deliveryStates);
    const filter = { ...readFilter(input, clock.now()), ...(state ? { state } : {}) };
    const rows = createLatest(readListLimit(context, input));
    let total = 0;
    const onDamaged = (error: AppError) => output.warn(error.message);
    const listing = { ...(state ? { states: [state] } : {}), onDamaged };
    const who = { clock, log: silentLog(), label: 'webhooks list' };
    const storage = await openStorage('read', { config, ...who });
    try {
      const store = await storage.deliveries();
      for await (const event of findStoredEvents(store, filter, { onDamaged })) rows.add(event);
      for await (const delivery of findDeliveries(store, filter, listing)) {
        total += 1;
        rows.add(delivery);
      }
      const subscriptions = await readStandings(context, config.webhooks, store.receivers);
      const count = total + rows.eventsAlone();
      report(context, { rows: rows.sorted(), count, total, subscriptions });
    } finally {
      await storage.close();
    }
    return undefined;
  },
};

interface Listed {
  /** Sorted from newest to oldest. */
  readonly rows: readonly ListedRow[];
  /** Number of matching rows, including those not shown. */
  readonly count: number;
  /** Number of matching deliveries, including those not shown. */
  readonly total: number;
  readonly subscriptions: readonly SubscriptionStanding[];
}

/** Returns a list that contains the latest deliveries and events without a delivery. */
function createLatest(limit: number) {
  let kept: ListedRow[] = [];
  let lone = new Set<string>();
  let events = 0;
  const served = new Set<string>();
  const sorted = () => {
    const rows = kept.filter((row) => 'state' in row || !served.has(row.id));
    return rows.sort((a, b) =>
      a.occurredAt < b.occurredAt ? 1 : a.occurredAt > b.occurredAt ? -1 : 0,
    );
  };
  return {
    /** Adds a row. All events must be added before the deliveries. */
    add(row: ListedRow) {
      kept.push(row);
      // An event that was stored without a delivery has deliveries if it was replayed later.
      if ('state' in row && lone.has(row.eventId)) served.add(row.eventId);
      if (!('state' in row)) {
        lone.add(row.id);
        events += 1;
      }
      if (kept.length <= 2 * limit + 100) return;
      // Sorting only when the list is twice as long as needed limits both memory and work.
      kept = sorted().slice(0, limit);
      lone = new Set(kept.flatMap((each) => ('state' in each ? [] : [each.id])));
    },
    sorted: () => sorted().slice(0, limit),
    /** Returns the number of events without a delivery. */
    eventsAlone: () => events - served.size,
  };
}

/** Returns the states of the subscriptions. If the file cannot be read, warns and returns an empty list. */
async function readStandings(
  { clock, env: environment, output }: CommandContext,
  file: string,
  receivers: ReceiverStore,
): Promise<readonly SubscriptionStanding[]> {
  try {
    const source = await openSubscriptions({ file, environment, clock, log: silentLog() });
    const states = new Map((await receivers.list()).map((state) => [state.id, state]));
    return source.current().map((each) => standingOf(each, states, source.digest()));
  } catch (error) {
    const isFile = error instanceof AppError && fileFaults.includes(error.code);
    if (!isFile) throw error;
    output.warn(`${error.message} Subscriptions are not listed.`);
    return [];
  }
}

const fileFaults: readonly AppError['code'][] = ['configuration', 'unreadable_input'];

function report(context: CommandContext, { rows, count, total, subscriptions }: Listed): void {
  const deliveries = rows.filter((row) => 'state' in row);
  const value = {
    events: groupEvents(rows),
    deliveries: deliveries.map(viewDelivery),
    total,
    subscriptions,
  };
  const { colors } = context.output;
  const more = `${rows.length} of ${count} are shown; --limit 0 shows all.`;
  context.output.result(value, () =>
    listText(context, {
      rows,
      columns: deliveryColumns(colors),
      empty: 'No deliveries.',
      newest: 'first',
      below: [
        ...(rows.length > 0 && rows.length < count ? [colors.dim(more)] : []),
        ...subscriptions.flatMap(troubleOf).map(colors.yellow),
      ],
    }),
  );
}

/** Returns the events of the rows in the same order, each with its listed deliveries. */
function groupEvents(rows: readonly ListedRow[]) {
  const events = new Map<string, { event: StoredEvent; deliveries: Delivery[] }>();
  for (const row of rows) {
    const id = 'state' in row ? row.eventId : row.id;
    const { facts, occurredAt } = row;
    const group = events.get(id) ?? { event: { id, facts, occurredAt }, deliveries: [] };
    events.set(id, group);
    if ('state' in row) group.deliveries.push(row);
  }
  return [...events.values()].map(({ event, deliveries }) => viewEvent(event, deliveries));
}

/** Returns messages about a disabled or failing subscription. */
function troubleOf({ url, disabledBy, droppedInARow }: SubscriptionStanding): string[] {
  const shown = oneLine(url);
  const troubles: string[] = [];
  if (disabledBy === 'file') troubles.push(`${shown} is disabled in the webhooks file.`);
  if (disabledBy === '410') {
    const next = `msgsite webhooks enable ${shellWord(url)}`;
    troubles.push(
      `${shown} responded with 410 Gone and is disabled. To enable it again, run: ${next}`,
    );
  }
  if (droppedInARow >= reportedAfter) {
    troubles.push(`${shown} is failing: ${droppedInARow} consecutive deliveries were dropped.`);
  }
  return troubles;
}
