import { type Delivery, hasFailed } from '../../events/delivery.js';
import { paymentOf, type StoredEvent } from '../../events/event.js';

/** What the deliveries one asks for have in common; an absent field asks for nothing. */
export interface DeliveryFilter {
  /** Tried and never taken: dropped, or waiting for another attempt. */
  readonly failed?: boolean;
  readonly state?: Delivery['state'];
  readonly event?: string;
  readonly payment?: string;
  /** Delivery ids or event ids. */
  readonly ids?: readonly string[];
  readonly url?: string;
  /** Bounds on the time the event arose, both inclusive; milliseconds since the epoch. */
  readonly since?: number;
  readonly until?: number;
}

/** Whether a delivery is one of those asked for. */
export function matchesFilter(delivery: Delivery, filter: DeliveryFilter): boolean {
  const { facts, subscription } = delivery;
  const occurredAt = Date.parse(delivery.occurredAt);
  return (
    (!filter.failed || hasFailed(delivery)) &&
    agrees(filter.state, delivery.state) &&
    agrees(filter.event, facts.event) &&
    agrees(filter.payment, paymentOf(facts)?.paymentId) &&
    agrees(filter.url, subscription.url) &&
    (!filter.ids || filter.ids.includes(delivery.id) || filter.ids.includes(delivery.eventId)) &&
    (filter.since === undefined || occurredAt >= filter.since) &&
    (filter.until === undefined || occurredAt <= filter.until)
  );
}

/** Whether an event that has no delivery is one of those asked for: of deliveries, none may be asked. */
export function matchesEvent(
  { id, facts, occurredAt }: StoredEvent,
  { failed, state, url, event, payment, ids, since = -Infinity, until = Infinity }: DeliveryFilter,
): boolean {
  const at = Date.parse(occurredAt);
  return (
    !failed &&
    state === undefined &&
    url === undefined &&
    agrees(event, facts.event) &&
    agrees(payment, paymentOf(facts)?.paymentId) &&
    (!ids || ids.includes(id)) &&
    at >= since &&
    at <= until
  );
}

function agrees(asked: string | undefined, actual: string | undefined): boolean {
  return asked === undefined || asked === actual;
}

const durationUnits: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const isoDate = /^\d{4}-\d{2}-\d{2}$/;
const isoDateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/;

/**
 * A point in time as people write it: a duration back from `now` (`2h`), an ISO date-time, or an ISO date,
 * which means its first moment, or with `edge` `end` its last. A time without a zone is local. Null where
 * it is none of these.
 */
export function parseTime(text: string, now: number, edge: 'start' | 'end'): number | null {
  const [, count, unit] = /^(\d+)([smhdw])$/.exec(text) ?? [];
  if (count && unit) return now - Number(count) * (durationUnits[unit] ?? 0);
  if (isoDate.test(text)) return dayEdge(text, edge);
  if (!isoDateTime.test(text)) return null;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}

function dayEdge(text: string, edge: 'start' | 'end'): number | null {
  const start = new Date(`${text}T00:00:00`);
  const [, , day] = text.split('-');
  // Date.parse takes 31 April for 1 May; the person who wrote it should hear about it.
  if (Number.isNaN(start.getTime()) || start.getDate() !== Number(day)) return null;
  if (edge === 'start') return start.getTime();
  const next = new Date(start);
  next.setDate(next.getDate() + 1);
  return next.getTime() - 1;
}
