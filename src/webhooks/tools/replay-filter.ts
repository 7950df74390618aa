import { type Delivery, hasFailed } from '../../events/delivery.js';
import { paymentOf, type StoredEvent } from '../../events/event.js';

/** Selects deliveries; an absent member accepts all. */
export interface DeliveryFilter {
  /** Attempted and never accepted: dropped, or waiting for another attempt. */
  readonly failed?: boolean;
  readonly state?: Delivery['state'];
  readonly event?: string;
  readonly payment?: string;
  /** Delivery IDs or event IDs. */
  readonly ids?: readonly string[];
  readonly url?: string;
  /** The earliest and the latest time at which the event occurred, inclusive, in milliseconds since the epoch. */
  readonly since?: number;
  readonly until?: number;
}

/** Returns whether a filter selects a delivery. */
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

/** Returns whether a filter selects an event without a delivery. A filter with conditions on deliveries never does. */
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

function agrees(expected: string | undefined, actual: string | undefined): boolean {
  return expected === undefined || expected === actual;
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
 * Parses a time: a duration before `now` (`2h`), an ISO date-time, or an ISO date, which means its first moment or, if
 * `edge` is `end`, its last. Times without a zone are local. Returns null for other texts.
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
  // Date.parse accepts 31 April as 1 May.
  if (Number.isNaN(start.getTime()) || start.getDate() !== Number(day)) return null;
  if (edge === 'start') return start.getTime();
  const next = new Date(start);
  next.setDate(next.getDate() + 1);
  return next.getTime() - 1;
}
