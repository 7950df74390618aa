import { type Delivery, nextAttemptNumber } from '../../events/delivery.js';
import { type EventFacts, paymentOf } from '../../events/event.js';
import { stringifyExact } from '../../json/exact-json.js';
import { type SigningKey, signBody, signStandard } from '../signature.js';

/** A webhook request. */
export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** True if an existing connection may be used. Retries use a new one. */
  readonly mayReuse: boolean;
}

interface RequestOptions {
  readonly url: string;
  /** The first key signs `X-Webhook-Signature`, all sign `webhook-signature`. Without keys, nothing is signed. */
  readonly keys: readonly SigningKey[];
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
  readonly replay: boolean;
}

/**
 * Returns the request of a delivery's next attempt. Each attempt has its own body, which contains the time of sending.
 */
export function buildRequest(
  delivery: Pick<Delivery, 'eventId' | 'facts' | 'attempts'>,
  { url, keys, sentAt, replay, headers: further = {} }: RequestOptions,
): WebhookRequest {
  const body = payloadOf(delivery, sentAt);
  const headers = {
    ...further,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'User-Agent': 'msgsite-webhooks',
    'X-Webhook-Id': delivery.eventId,
    'X-Webhook-Event': delivery.facts.event,
    'X-Webhook-Attempt': String(nextAttemptNumber(delivery)),
    ...(replay ? { 'X-Webhook-Replay': 'true' } : {}),
    ...(paymentOf(delivery.facts)?.sandbox ? { 'X-Webhook-Sandbox': 'true' } : {}),
    ...signatures(keys, delivery.eventId, body, sentAt),
  };
  return { url, headers, body, mayReuse: delivery.attempts.length === 0 };
}

function signatures(keys: readonly SigningKey[], id: string, body: string, sentAt: number) {
  const [first] = keys;
  if (!first) return {};
  const timestamp = Math.floor(sentAt / 1000);
  return {
    'X-Webhook-Signature': signBody(first, body),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signStandard(keys, { id, timestamp, body }),
  };
}

/**
 * Returns the JSON body of a request, with every digit of the provider's numbers. `sentAt` is in milliseconds since the
 * epoch. The organization of a payment is not part of it, and a header marks sandbox payments.
 */
export function payloadOf(
  { eventId: id, facts }: { readonly eventId: string; readonly facts: EventFacts },
  sentAt: number,
): string {
  const { event, data } = facts;
  const timestamp = new Date(sentAt).toISOString();
  if ('subject' in facts) return stringifyExact({ event, id, timestamp, data });
  const { paymentId, type, status, statusDesc, amount } = facts;
  const { qrToken, receiptUrl, orderNumber, reference } = facts;
  return stringifyExact({
    event,
    paymentId,
    type,
    status,
    statusDesc,
    amount,
    qrToken,
    receiptUrl,
    orderNumber,
    ...(reference === undefined ? {} : { reference }),
    data,
    timestamp,
  });
}
