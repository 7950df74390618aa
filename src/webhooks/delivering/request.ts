import { type Delivery, nextAttemptNumber } from '../delivery.js';
import { payloadOf } from '../event.js';
import { type SigningKey, signBody, signStandard } from '../signature.js';

/** A webhook ready to be sent. */
export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface RequestOptions {
  readonly url: string;
  /** Null: no secret is configured, and no signature is sent. */
  readonly key: SigningKey | null;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
  readonly replay: boolean;
}

/** The request of a delivery's next attempt; the body says when it is sent, so each attempt has its own. */
export function buildRequest(
  delivery: Pick<Delivery, 'eventId' | 'facts' | 'attempts'>,
  { url, key, sentAt, replay }: RequestOptions,
): WebhookRequest {
  const body = payloadOf(delivery.facts, sentAt);
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'User-Agent': 'msgsite-webhooks',
    'X-Webhook-Id': delivery.eventId,
    'X-Webhook-Event': delivery.facts.event,
    'X-Webhook-Attempt': String(nextAttemptNumber(delivery)),
    ...(replay ? { 'X-Webhook-Replay': 'true' } : {}),
    ...(key ? signatures(key, delivery.eventId, body, sentAt) : {}),
  };
  return { url, headers, body };
}

function signatures(key: SigningKey, id: string, body: string, sentAt: number) {
  const timestamp = Math.floor(sentAt / 1000);
  return {
    'X-Webhook-Signature': signBody(key, body),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signStandard(key, { id, timestamp, body }),
  };
}
