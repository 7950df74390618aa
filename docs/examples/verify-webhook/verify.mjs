import { createHmac, timingSafeEqual } from 'node:crypto';

const toleranceSeconds = 300;

/**
 * Returns true if `webhook-signature` has a valid signature and the request was sent just now. `rawBody` is a
 * Buffer of the received bytes: JSON that was parsed and written again has different ones. The names in
 * `headers` are in lower case, as in Node.js.
 */
export function verifyStandard(rawBody, headers, secret, now = Date.now()) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers;
  if (!id || !/^\d{1,15}$/.test(timestamp ?? '')) return false;
  if (Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds) return false;
  const hmac = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(rawBody);
  const expected = `v1,${hmac.digest('base64')}`;
  // While a secret is being replaced, there is a signature for each of the two.
  return (headers['webhook-signature'] ?? '').split(' ').some((each) => same(each, expected));
}

/** Returns true if `X-Webhook-Signature` is valid. It does not show when the request was sent. */
export function verifyBody(rawBody, headers, secret) {
  if (!secret) throw new Error('There is no secret.');
  const digest = createHmac('sha256', secret).update(rawBody).digest('hex');
  return same(headers['x-webhook-signature'] ?? '', `sha256=${digest}`);
}

function keyOf(secret) {
  const key = secret.startsWith('whsec_')
    ? Buffer.from(secret.slice('whsec_'.length), 'base64')
    : Buffer.from(secret);
  if (key.length === 0) throw new Error('There is no secret.');
  return key;
}

function same(given, expected) {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
