import { createHmac } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  createSigningKey,
  generateSecret,
  matchesBody,
  matchesStandard,
  type SigningKey,
  signBody,
  signStandard,
} from '../../src/webhooks/signature.js';
import { verifyWebhook } from '../../src/webhooks/tools/verify.js';

const body = '{"event":"payment.success","amount":1500,"statusDesc":"Төленді ₸"}';

describe('the signature', () => {
  it('is an HMAC-SHA-256 in lower-case hex keyed with the whole secret', () => {
    for (const secret of ['plain secret', 'құпия', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']) {
      const expected = createHmac('sha256', secret).update(body).digest('hex');
      expect(signBody(createSigningKey(secret), body)).toBe(`sha256=${expected}`);
    }
  });

  it('matches the example of the Standard Webhooks specification', () => {
    const key = createSigningKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
    const content = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1614265330,
      body: '{"test": 2432232314}',
    };
    const expected = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
    expect(signStandard([key], content)).toBe(expected);
    expect(matchesStandard([key], content, `v1,AAAA ${expected} v2,x`)).toBe(true);
  });

  it('uses the UTF-8 bytes of any other secret for the standard signature', () => {
    const expected = createHmac('sha256', 'plain').update('a.1.').update(body).digest('base64');
    expect(signStandard([createSigningKey('plain')], { id: 'a', timestamp: 1, body })).toBe(
      `v1,${expected}`,
    );
  });

  it.each(['whsec_', 'whsec_not base64!', 'whsec_abcde'])(
    'rejects the secret %s, which is not valid base64',
    (s) => {
      expect(() => createSigningKey(s)).toThrow(/base64/);
    },
  );

  it.each([
    '',
    'sha256=',
    'sha256=00',
    signBody(createSigningKey('other'), body),
    signBody(createSigningKey('s'), body).slice('sha256='.length),
  ])('does not match %j', (signature) => {
    expect(matchesBody([createSigningKey('s')], body, signature)).toBe(false);
  });

  it('contains one standard signature per secret, in order', () => {
    const [fresh, old, other] = ['new', 'old', 'other'].map(createSigningKey) as [
      SigningKey,
      SigningKey,
      SigningKey,
    ];
    const content = { id: 'a', timestamp: 1, body };
    const both = signStandard([fresh, old], content);
    expect(both).toBe(`${signStandard([fresh], content)} ${signStandard([old], content)}`);
    for (const key of [fresh, old]) expect(matchesStandard([key], content, both)).toBe(true);
    expect(matchesStandard([other], content, both)).toBe(false);
    expect(matchesStandard([other, old], content, signStandard([old], content))).toBe(true);
    expect(matchesBody([fresh, old], body, signBody(old, body))).toBe(true);
  });

  it('accepts generated secrets, all of which differ', () => {
    const made = [24, 32, 64].map(generateSecret);
    for (const [index, secret] of made.entries()) {
      expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(
        [24, 32, 64][index] ?? 0,
      );
      createSigningKey(secret);
    }
    expect(generateSecret()).not.toBe(generateSecret());
  });

  it('has a key that does not reveal the secret when it is printed', () => {
    const shown = inspect(createSigningKey('super-secret-value'), { depth: 9, showHidden: true });
    expect(shown + JSON.stringify(createSigningKey('super-secret-value'))).not.toContain('super');
  });
});

describe('verifyWebhook', () => {
  const key = createSigningKey('s');
  const now = 1_800_000_000_000;
  const timestamp = now / 1000;
  const standard = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signStandard([key], { id: 'evt_1', timestamp, body }),
  };
  const own = { 'x-webhook-signature': signBody(key, body) };

  it.each([
    ['both signatures', { ...own, ...standard }, true],
    ['only X-Webhook-Signature', own, true],
    ['only the standard signature', standard, true],
    ['no signature', {}, false],
    [
      'a wrong and a correct signature',
      { ...own, ...standard, 'webhook-signature': 'v1,x' },
      false,
    ],
    [
      'a standard signature without its time',
      { ...standard, 'webhook-timestamp': undefined },
      false,
    ],
    ['a standard signature with a different ID', { ...standard, 'webhook-id': 'evt_2' }, false],
  ])('verifies a request with %s', (_name, headers, valid) => {
    expect(verifyWebhook({ body, headers }, { keys: [key], now }).valid).toBe(valid);
  });

  it.each([
    [300, undefined, true],
    [301, undefined, false],
    [-301, undefined, false],
    [20, 10, false],
    [999_999, 0, true],
  ])('verifies a request that is %i s old with a tolerance of %j', (age, tolerance, valid) => {
    const options = {
      keys: [key],
      now: now + age * 1000,
      ...(tolerance === undefined ? {} : { tolerance }),
    };
    expect(verifyWebhook({ body, headers: standard }, options).valid).toBe(valid);
  });
});
