import { matchesBody, matchesStandard, type SigningKey } from '../signature.js';

/** Maximum difference between the clocks of sender and receiver, in seconds, as suggested by Standard Webhooks. */
export const defaultTolerance = 300;

/** A received webhook. Header names are in lower case. */
export interface ReceivedWebhook {
  readonly body: string | Uint8Array;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export interface VerifyOptions {
  /** The keys that may have signed it: during a rotation, the old and the new one. */
  readonly keys: readonly SigningKey[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Maximum deviation of `webhook-timestamp`, in seconds; 0 accepts any time. */
  readonly tolerance?: number;
}

/** The result of one check. If `ok` is false, the webhook must not be trusted. */
export interface Verdict {
  readonly check: 'X-Webhook-Signature' | 'webhook-signature' | 'webhook-timestamp';
  readonly ok: boolean;
  readonly reason: string;
}

export interface Verification {
  readonly valid: boolean;
  readonly checks: readonly Verdict[];
}

/**
 * Checks every signature of a webhook. The webhook is valid if it has at least one signature and all are correct. A
 * Standard Webhooks signature must also be recent, so that old requests cannot be replayed.
 */
export function verifyWebhook(webhook: ReceivedWebhook, options: VerifyOptions): Verification {
  const checks = [...checkBody(webhook, options), ...checkStandard(webhook, options)];
  return { valid: checks.length > 0 && checks.every(({ ok }) => ok), checks };
}

function checkBody({ body, headers }: ReceivedWebhook, { keys }: VerifyOptions): Verdict[] {
  const signature = headers['x-webhook-signature'];
  if (signature === undefined) return [];
  const ok = matchesBody(keys, body, signature);
  return [{ check: 'X-Webhook-Signature', ok, reason: ok ? 'matches' : mismatch }];
}

function checkStandard({ body, headers }: ReceivedWebhook, options: VerifyOptions): Verdict[] {
  const { keys, now, tolerance = defaultTolerance } = options;
  const header = headers['webhook-signature'];
  if (header === undefined) return [];
  const id = headers['webhook-id'] ?? '';
  const written = headers['webhook-timestamp'] ?? '';
  if (id === '' || !/^\d{1,12}$/.test(written)) {
    const reason = 'webhook-id or webhook-timestamp is missing or malformed';
    return [{ check: 'webhook-signature', ok: false, reason }];
  }
  const timestamp = Number(written);
  const ok = matchesStandard(keys, { id, timestamp, body }, header);
  const age = Math.floor(now / 1000) - timestamp;
  const fresh = tolerance === 0 || Math.abs(age) <= tolerance;
  return [
    { check: 'webhook-signature', ok, reason: ok ? 'matches' : mismatch },
    { check: 'webhook-timestamp', ok: fresh, reason: ageInWords(age, fresh, tolerance) },
  ];
}

const mismatch = 'does not match: the secret or the body is different';

function ageInWords(age: number, fresh: boolean, tolerance: number): string {
  const distance = age < 0 ? `${-age} s ahead` : `${age} s old`;
  return fresh ? distance : `${distance}, more than the allowed ${tolerance} s`;
}
