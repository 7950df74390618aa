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
  /** Of any type where it is not given. */
  readonly type?: 'qr' | 'invoice';
  readonly id: string;
}

/** What a file names for replay: what is stored, by ids or payments, and events given in full. */
export interface ReplayList {
  /** Delivery ids or event ids. */
  readonly ids: readonly string[];
  readonly payments: readonly ListedPayment[];
  readonly events: readonly PaymentEvent[];
}

const idPattern = /^(dlv|evt)_[0-9a-f]{32}$/;
/** Ids of payments are numbers mostly, and always have a digit. */
const paymentPattern = /^(?:(qr|invoice):)?((?!dlv_|evt_)(?=[^:]*\d)[A-Za-z0-9][\w.-]{0,127})$/;

/**
 * Reads a list for replay: one JSON document (an array, what `webhooks list --json` or `pay payments --json`
 * prints) or one entry a line. An entry is the id of a delivery, of an event or of a payment (`1001`,
 * `qr:1001`), an object with an `id`, or the body of a webhook. Throws `unreadable_input` naming every entry
 * that is none of these.
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
    hint: 'Give ids of deliveries, events or payments, webhook bodies, or what `msgsite webhooks list --json` prints.',
  });
}

/** What of a list is an answer to something stored; every name is the same text wherever it is given. */
export interface NamedThings {
  /** Ids and payments: what is asked to be found. */
  readonly all: readonly string[];
  /** What of the list these facts, stored under these ids, are an answer to. */
  answeredBy(ids: readonly string[], facts: EventFacts): readonly string[];
  /** The events given in full that nothing stored has answered, each once. */
  eventsBeyond(answered: ReadonlySet<string>): readonly PaymentEvent[];
}

/** A list, ready to be compared with any number of records. */
export function indexList({ ids, payments, events }: ReplayList): NamedThings {
  const idSet = new Set(ids);
  const paymentsById = groupBy(payments, ({ id }) => id);
  const eventsById = groupBy(events, ({ paymentId }) => paymentId);
  return {
    all: [...ids, ...payments.map(nameOfPayment)],
    answeredBy(given, facts) {
      const known = given.filter((id) => idSet.has(id));
      const payment = paymentOf(facts);
      if (!payment) return known;
      const { paymentId } = payment;
      const named = paymentsById.get(paymentId)?.filter((one) => namesPayment(one, payment)) ?? [];
      const bodies = eventsById.get(paymentId)?.filter((one) => namesEvent(one, payment)) ?? [];
      return [...known, ...named.map(nameOfPayment), ...bodies.map(nameOfBody)];
    },
    eventsBeyond(answered) {
      const byName = new Map(events.map((event) => [nameOfBody(event), event]));
      return [...byName].flatMap(([name, event]) => (answered.has(name) ? [] : [event]));
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

/** Payments are named in words that no id begins with. */
function nameOfPayment({ type, id }: ListedPayment): string {
  return type ? `${type}:${id}` : `payment ${id}`;
}

function nameOfBody({ event, type, paymentId }: PaymentEvent): string {
  return `${event} of ${type}:${paymentId}`;
}

/** Whether a payment of a list is the one that the facts are about. */
function namesPayment({ organizationId, type, id }: ListedPayment, facts: PaymentFacts): boolean {
  return (
    id === facts.paymentId &&
    (type === undefined || type === facts.type) &&
    isSameOrNone(organizationId, facts.organizationId)
  );
}

/** Whether an event in full is one that is stored: the body of a webhook names no organization. */
function namesEvent(event: PaymentEvent, facts: PaymentFacts): boolean {
  const { organizationId, type, paymentId: id } = event;
  const payment = { type, id, ...(organizationId === undefined ? {} : { organizationId }) };
  return event.event === facts.event && namesPayment(payment, facts);
}

function isSameOrNone(a: number | undefined, b: number | undefined): boolean {
  return a === undefined || b === undefined || a === b;
}

interface Entry {
  /** The entry's number, or the line's. */
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

/** The entries of a document: of a listing what it lists, events without a delivery included. */
function valuesIn(document: unknown): readonly unknown[] {
  const { deliveries, events, payments } = Object(document) as Readonly<Record<string, unknown>>;
  const lists = [deliveries, payments].filter((list) => Array.isArray(list)).flat();
  const alone = (Array.isArray(events) ? events : []).filter(
    (event) => [Object(event).deliveries].flat().length === 0,
  );
  const isListing = [deliveries, events, payments].some((list) => Array.isArray(list));
  return isListing ? [...lists, ...alone] : [document].flat();
}

/** What a list of deliveries puts around the data of a payment. */
const ownLevels = 8;

function parseJson(text: string): unknown {
  try {
    return isDeeperThan(text, deepestJson + ownLevels) ? undefined : parseExact(text);
  } catch {
    return undefined;
  }
}

function idOf(value: unknown): string | undefined {
  const id: unknown =
    typeof value === 'string' ? value : (Object(value).id ?? Object(value).eventId);
  return typeof id === 'string' && idPattern.test(id) ? id : undefined;
}

/** A payment by its id, or as `pay payments --json` has it. */
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

/** What a list may say of an event beside its facts. */
type Given = Facts & { readonly timestamp?: unknown; readonly organizationId?: unknown };

function eventOf(facts: Given, now: number): PaymentEvent {
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
