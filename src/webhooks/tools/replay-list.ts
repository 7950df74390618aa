import { type Facts, Facts as isFacts } from '#validators/webhooks';
import { AppError, type ErrorDetail } from '../../base/errors.js';
import { deepestJson } from '../../json/bounds.js';
import { isDeeperThan } from '../../json/depth.js';
import { parseExact } from '../../json/exact-json.js';
import type { PaymentEvent } from '../event.js';

/** What a file names for replay: stored deliveries by id, and events given in full. */
export interface ReplayList {
  /** Delivery ids or event ids. */
  readonly ids: readonly string[];
  readonly events: readonly PaymentEvent[];
}

const idPattern = /^(dlv|evt)_[0-9a-f]{32}$/;

/**
 * Reads a list for replay: one JSON document (an array, or what `webhooks list --json` prints) or one
 * entry a line. An entry is an id, an object with an `id`, or the body of a webhook. Throws
 * `unreadable_input` naming every entry that is none of these.
 */
export function parseReplayList(text: string, source: string, now: number): ReplayList {
  const ids: string[] = [];
  const events: PaymentEvent[] = [];
  const faults: ErrorDetail[] = [];
  for (const { location, value } of entriesOf(text)) {
    const id = idOf(value);
    if (id) ids.push(id);
    else if (isFacts(value)) events.push(eventOf(value, now));
    else
      faults.push({ path: `${source}:${location}`, message: 'is no delivery id and no webhook' });
  }
  if (faults.length === 0) return { ids, events };
  throw new AppError('unreadable_input', `${source} is no list of deliveries.`, {
    details: faults,
    hint: 'Give ids, webhook bodies or what `msgsite webhooks list --json` prints.',
  });
}

interface Entry {
  /** The entry's number, or the line's. */
  readonly location: string;
  readonly value: unknown;
}

function entriesOf(text: string): Entry[] {
  const document = parseJson(text);
  if (document !== undefined) {
    const { deliveries } = Object(document) as { deliveries?: unknown };
    const values = Array.isArray(deliveries) ? deliveries : [document].flat();
    return values.map((value, index) => ({ location: `entry ${index + 1}`, value }));
  }
  return text.split(/\r?\n/).flatMap((line, index) => {
    const words = line.trim();
    return words === '' ? [] : [{ location: String(index + 1), value: parseJson(words) ?? words }];
  });
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
  const id: unknown = typeof value === 'string' ? value : Object(value).id;
  return typeof id === 'string' && idPattern.test(id) ? id : undefined;
}

function eventOf(facts: Facts & { readonly timestamp?: unknown }, now: number): PaymentEvent {
  const { event, paymentId, type, status, timestamp } = facts;
  const sentAt = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  return {
    event,
    paymentId,
    type,
    status,
    statusDesc: facts.statusDesc ?? '',
    amount: facts.amount ?? null,
    qrToken: facts.qrToken ?? null,
    receiptUrl: facts.receiptUrl ?? null,
    orderNumber: facts.orderNumber ?? null,
    data: facts.data ?? {},
    occurredAt: Number.isNaN(sentAt) ? now : sentAt,
  };
}
