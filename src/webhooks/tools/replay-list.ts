import { type Facts, Facts as isFacts } from '#validators/webhooks';
import { AppError, type ErrorDetail } from '../../base/errors.js';
import {
  type EventFacts,
  type PaymentEvent,
  type PaymentFacts,
  paymentOf,
} from '../../events/event.js';
import { deepestJson, isDeeperThan } from '../../json/bounds.js';
import { parseExact } from '../../json/exact-json.js';

/** A payment that a list names. */
interface ListedPayment {
  readonly organizationId?: number;
  /** Without it, payments of any type. */
  readonly type?: 'qr' | 'invoice';
  readonly id: string;
}

/** The entries of a file for replay: IDs, payments, and complete events. */
export interface ReplayList {
  /** Delivery IDs or event IDs. */
  readonly ids: readonly string[];
  readonly payments: readonly ListedPayment[];
  readonly events: readonly PaymentEvent[];
}

const idPattern = /^(dlv|evt)_[0-9a-f]{32}$/;
/** Payment IDs are usually numbers and always contain a digit. */
const paymentPattern = /^(?:(qr|invoice):)?((?!dlv_|evt_)(?=[^:]*\d)[A-Za-z0-9][\w.-]{0,127})$/;

/**
 * Parses a list for replay: one JSON document (an array, or the output of `webhooks list --json` or `pay payments
 * --json`) or one entry per line. An entry is the ID of a delivery, an event or a payment (`1001`, `qr:1001`), an
 * object with an `id`, or the body of a webhook. Throws `unreadable_input` with every invalid entry.
 */
export function parseReplayList(text: string, source: string, now: number): ReplayList {
  const ids: string[] = [];
  const payments: ListedPayment[] = [];
  const events: PaymentEvent[] = [];
  const faults: ErrorDetail[] = [];
  for (const { location, value } of entriesOf(text)) {
    const id = idOf(value);
    const payment = listedPaymentOf(value);
    if (id) ids.push(id);
    else if (isFacts(value)) events.push(eventOf(value, now));
    else if (payment) payments.push(payment);
    else
      faults.push({
        path: `${source}:${location}`,
        message: 'is neither an ID nor a webhook body',
      });
  }
  if (faults.length === 0) return { ids, payments, events };
  throw new AppError('unreadable_input', `${source} is not a list of deliveries.`, {
    details: faults,
    hint: 'Provide IDs of deliveries, events or payments, webhook bodies, or the output of `msgsite webhooks list --json`.',
  });
}

/** An index of a list's entries, each identified by a text. */
export interface ListIndex {
  /** The texts of IDs and payments. */
  readonly all: readonly string[];
  /** Returns the texts of the entries that match a stored event or delivery with these IDs and facts. */
  matching(ids: readonly string[], facts: EventFacts): readonly string[];
  /** Returns the complete events whose texts are not in `found`, each once. */
  eventsBeyond(found: ReadonlySet<string>): readonly PaymentEvent[];
}

/** Returns an index of a list for comparing it with any number of records. */
export function indexList({ ids, payments, events }: ReplayList): ListIndex {
  const idSet = new Set(ids);
  const paymentsById = groupBy(payments, ({ id }) => id);
  const eventsById = groupBy(events, ({ paymentId }) => paymentId);
  return {
    all: [...ids, ...payments.map(nameOfPayment)],
    matching(recordIds, facts) {
      const known = recordIds.filter((id) => idSet.has(id));
      const payment = paymentOf(facts);
      if (!payment) return known;
      const { paymentId } = payment;
      const named = paymentsById.get(paymentId)?.filter((one) => namesPayment(one, payment)) ?? [];
      const bodies = eventsById.get(paymentId)?.filter((one) => namesEvent(one, payment)) ?? [];
      return [...known, ...named.map(nameOfPayment), ...bodies.map(nameOfBody)];
    },
    eventsBeyond(found) {
      const byName = new Map(events.map((event) => [nameOfBody(event), event]));
      return [...byName].flatMap(([name, event]) => (found.has(name) ? [] : [event]));
    },
  };
}

function groupBy<T>(all: readonly T[], keyOf: (each: T) => string): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const group = groups.get(keyOf(each));
    if (group) group.push(each);
    else groups.set(keyOf(each), [each]);
  }
  return groups;
}

/** Returns the text of a payment, which never equals an ID. */
function nameOfPayment({ type, id }: ListedPayment): string {
  return type ? `${type}:${id}` : `payment ${id}`;
}

function nameOfBody({ event, type, paymentId }: PaymentEvent): string {
  return `${event} of ${type}:${paymentId}`;
}

/** Returns whether facts are about a listed payment. */
function namesPayment({ organizationId, type, id }: ListedPayment, facts: PaymentFacts): boolean {
  return (
    id === facts.paymentId &&
    (type === undefined || type === facts.type) &&
    isSameOrNone(organizationId, facts.organizationId)
  );
}

/** Returns whether a complete event matches a stored one. The body of a webhook contains no organization. */
function namesEvent(event: PaymentEvent, facts: PaymentFacts): boolean {
  const { organizationId, type, paymentId: id } = event;
  const payment = { type, id, ...(organizationId === undefined ? {} : { organizationId }) };
  return event.event === facts.event && namesPayment(payment, facts);
}

function isSameOrNone(a: number | undefined, b: number | undefined): boolean {
  return a === undefined || b === undefined || a === b;
}

interface Entry {
  /** The number of the entry or the line. */
  readonly location: string;
  readonly value: unknown;
}

function entriesOf(text: string): Entry[] {
  const document = parseJson(text);
  if (document !== undefined) {
    const values = valuesIn(document);
    return values.map((value, index) => ({ location: `entry ${index + 1}`, value }));
  }
  return text.split(/\r?\n/).flatMap((line, index) => {
    const words = line.trim();
    return words === '' ? [] : [{ location: String(index + 1), value: parseJson(words) ?? words }];
  });
}

/** Returns the entries of a document. In a listing, these include events without a delivery. */
function valuesIn(document: unknown): readonly unknown[] {
  const { deliveries, events, payments } = Object(document) as Readonly<Record<string, unknown>>;
  const lists = [deliveries, payments].filter((list) => Array.isArray(list)).flat();
  const alone = (Array.isArray(events) ? events : []).filter(
    (event) => [Object(event).deliveries].flat().length === 0,
  );
  const isListing = [deliveries, events, payments].some((list) => Array.isArray(list));
  return isListing ? [...lists, ...alone] : [document].flat();
}

/** Number of nesting levels that a list of deliveries adds to a payment's data. */
const listLevels = 8;

function parseJson(text: string): unknown {
  try {
    return isDeeperThan(text, deepestJson + listLevels) ? undefined : parseExact(text);
  } catch {
    return undefined;
  }
}

function idOf(value: unknown): string | undefined {
  const id: unknown =
    typeof value === 'string' ? value : (Object(value).id ?? Object(value).eventId);
  return typeof id === 'string' && idPattern.test(id) ? id : undefined;
}

/** Returns a payment from its ID, or from an entry of `pay payments --json`. */
function listedPaymentOf(value: unknown): ListedPayment | undefined {
  if (typeof value === 'string' || typeof value === 'number') {
    const [, type, id] = paymentPattern.exec(String(value)) ?? [];
    if (id === undefined) return undefined;
    return { id, ...(type === 'qr' || type === 'invoice' ? { type } : {}) };
  }
  const { id, type, organizationId } = Object(value) as Readonly<Record<string, unknown>>;
  if (type !== 'qr' && type !== 'invoice') return undefined;
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  return {
    id: String(id),
    type,
    ...(typeof organizationId === 'number' ? { organizationId } : {}),
  };
}

/** The facts of an event in a list, with further members. */
type ListedFacts = Facts & { readonly timestamp?: unknown; readonly organizationId?: unknown };

function eventOf(facts: ListedFacts, now: number): PaymentEvent {
  const { event, organizationId, paymentId, type, status, reference, timestamp } = facts;
  const sentAt = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  return {
    event,
    ...(typeof organizationId === 'number' ? { organizationId } : {}),
    paymentId,
    type,
    status,
    statusDesc: facts.statusDesc ?? '',
    amount: facts.amount ?? null,
    qrToken: facts.qrToken ?? null,
    receiptUrl: facts.receiptUrl ?? null,
    orderNumber: facts.orderNumber ?? null,
    ...(reference === undefined ? {} : { reference }),
    data: facts.data ?? {},
    occurredAt: Number.isNaN(sentAt) ? now : sentAt,
  };
}
