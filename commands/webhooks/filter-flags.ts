import { AppError } from '../../src/base/errors.js';
import type { Delivery } from '../../src/events/delivery.js';
import { eventNames, type StoredEvent, subjectOf } from '../../src/events/event.js';
import type { Colors } from '../../src/terminal/colors.js';
import { formatMoment } from '../../src/terminal/formats.js';
import type { TableColumn } from '../../src/terminal/table.js';
import { type DeliveryFilter, parseTime } from '../../src/webhooks/tools/replay-filter.js';
import type { CommandInput, OptionDefinition } from '../command.js';

/** The flags of all commands that select stored deliveries. */
export const filterFlags: readonly OptionDefinition[] = [
  {
    flags: '--failed',
    description: 'only failed deliveries, which were dropped or are waiting for a retry',
  },
  { flags: '--event <event>', description: 'only this event', choices: eventNames },
  { flags: '--payment <id>', description: 'only this payment' },
  { flags: '--delivery <id>', description: 'only this delivery ID or event ID', repeatable: true },
  { flags: '--url <url>', description: 'only deliveries to this receiver' },
  {
    flags: '--since <time>',
    description:
      'only events from this time on: an ISO date or date-time, or an age such as 2h or 3d',
  },
  {
    flags: '--until <time>',
    description: 'only events up to this time; a date includes the whole day',
  },
];

/** Returns the filter from the flags. Durations are subtracted from `now`. */
export function readFilter({ options }: CommandInput, now: number): DeliveryFilter {
  const { failed, event, payment, delivery, url, since, until } = options;
  const filter: DeliveryFilter = {
    ...(failed === true ? { failed } : {}),
    ...(typeof event === 'string' ? { event } : {}),
    ...(typeof payment === 'string' ? { payment } : {}),
    ...(Array.isArray(delivery) ? { ids: delivery } : {}),
    ...(typeof url === 'string' ? { url } : {}),
    ...(typeof since === 'string' ? { since: readTime('--since', since, now, 'start') } : {}),
    ...(typeof until === 'string' ? { until: readTime('--until', until, now, 'end') } : {}),
  };
  if ((filter.since ?? 0) > (filter.until ?? Number.POSITIVE_INFINITY)) {
    throw new AppError('usage', '--since is later than --until.');
  }
  return filter;
}

/** Returns the time in a flag, in milliseconds. `edge` selects the start or the end of a date. */
export function readTime(flag: string, text: string, now: number, edge: 'start' | 'end'): number {
  const time = parseTime(text, now, edge);
  if (time !== null) return time;
  throw new AppError('usage', `Invalid time for ${flag}: ${text}.`, {
    hint: 'Use an ISO date (2026-11-21), a date-time (2026-11-21T09:30) or a duration before now (2h, 3d).',
  });
}

/** Throws a `usage` error for addresses other than http and https. */
export function assertAddress(flag: string, url: string): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return;
  throw new AppError('usage', `${flag} must be an address that begins with http:// or https://.`);
}

/** A delivery, or an event without a delivery. */
export type ListedRow = Delivery | StoredEvent;

/** Returns the columns of a table of deliveries. Narrow terminals omit columns with a high `optional` first. */
export function deliveryColumns(colors: Colors): readonly TableColumn<ListedRow>[] {
  const stateStyles = { delivered: colors.green, pending: colors.yellow, dropped: colors.red };
  const ofDelivery = (text: (delivery: Delivery) => string) => (row: ListedRow) =>
    'state' in row ? text(row) : '';
  return [
    {
      title: 'OCCURRED',
      optional: 2,
      text: ({ occurredAt }) => formatMoment(Date.parse(occurredAt)),
    },
    { title: 'EVENT', text: ({ facts }) => facts.event },
    { title: 'PAYMENT', shrinkTo: 12, text: ({ facts }) => subjectOf(facts) },
    {
      title: 'STATE',
      text: (row) => ('state' in row ? row.state : 'no receiver'),
      style: (cell, row) => ('state' in row ? stateStyles[row.state](cell) : colors.dim(cell)),
    },
    {
      title: 'TRIES',
      align: 'right',
      optional: 3,
      text: ofDelivery(({ attempts }) => `${attempts.length}`),
    },
    { title: 'LAST RESULT', shrinkTo: 10, optional: 4, text: ofDelivery(lastResult) },
    {
      title: 'RECEIVER',
      shrinkTo: 21,
      optional: 1,
      text: ofDelivery(({ subscription }) => subscription.url),
    },
    { title: 'DELIVERY', optional: 5, style: colors.dim, text: ({ id }) => id },
  ];
}

function lastResult({ attempts }: Delivery): string {
  const last = attempts.at(-1);
  return last ? (last.error ?? `HTTP ${last.status}`) : '';
}
