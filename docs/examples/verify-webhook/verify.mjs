import { createHmac, timingSafeEqual } from 'node:crypto';

const toleranceSeconds = 300;

/**
 * Returns true if `webhook-signature` contains a valid signature and the request was sent within the last five
 * minutes. `rawBody` is a Buffer with the received bytes, not re-serialized JSON. Header names are in lower case,
 * as in Node.js.
 */
export function verifyStandard(rawBody, headers, secret, now = Date.now()) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers;
  if (!id || !/^\d{1,15}$/.test(timestamp ?? '')) return false;
  if (Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds) return false;
  const hmac = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(rawBody);
  const expected = `v1,${hmac.digest('base64')}`;
  // While a secret is being replaced, there is a signature for each secret.
  return (headers['webhook-signature'] ?? '').split(' ').some((each) => isEqual(each, expected));
}

/** Returns true if `X-Webhook-Signature` is valid. This signature does not cover the time of sending. */
export function verifyBody(rawBody, headers, secret) {
  if (!secret) throw new Error('There is no secret.');
  const digest = createHmac('sha256', secret).update(rawBody).digest('hex');
  return isEqual(headers['x-webhook-signature'] ?? '', `sha256=${digest}`);
}

function keyOf(secret) {
  const key = secret.startsWith('whsec_')
    ? Buffer.from(secret.slice('whsec_'.length), 'base64')
    : Buffer.from(secret);
  if (key.length === 0) throw new Error('There is no secret.');
  return key;
}

function isEqual(actual, expected) {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
