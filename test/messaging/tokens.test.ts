import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { NamedToken } from '../../src/messaging/store.js';
import { createTokens } from '../../src/messaging/tokens.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { userFields } from './store-samples.js';

const secret = 'a secret of at least thirty-two bytes!';

function setUp() {
  const clock = createManualClock();
  const revoked = new Map<string, number>();
  const ends = new Map<string, number | undefined>();
  const generations = new Map<number, number>();
  const store = {
    async revoke(jti: string, expires: number, from?: number) {
      revoked.set(jti, expires);
      ends.set(jti, from);
    },
    holderOf: async ({ jti, userId }: NamedToken) =>
      revoked.has(jti)
        ? undefined
        : { ...userFields('ann@x.kz'), id: userId, sessions: generations.get(userId) ?? 0 },
  };
  return {
    clock,
    revoked,
    ends,
    generations,
    tokens: createTokens({ secret, ttl: 60, clock, store }),
  };
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function forge(header: object, claims: object, key = secret): string {
  const body = `${part(header)}.${part(claims)}`;
  return `${body}.${createHmac('sha256', key).update(body).digest('base64url')}`;
}

describe('access tokens', () => {
  it('identify their user, and are rejected once they expire, even if they were verified before', async () => {
    const { clock, tokens } = setUp();
    const token = tokens.issue({ id: 7 });
    expect(await tokens.verify(token)).toMatchObject({ token: { userId: 7 }, user: { id: 7 } });
    await clock.advance(59_999);
    expect(await tokens.verify(token)).toMatchObject({ token: { userId: 7 }, user: { id: 7 } });
    await clock.advance(1);
    await expect(tokens.verify(token)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('are rejected after their revocation, which is stored until they expire', async () => {
    const { clock, tokens, revoked } = setUp();
    const [token, other] = [tokens.issue({ id: 7 }), tokens.issue({ id: 7 })];
    await tokens.revoke((await tokens.verify(token)).token);
    await expect(tokens.verify(token)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await tokens.verify(other)).toMatchObject({ token: { userId: 7 } });
    expect([...revoked.values()]).toEqual([clock.now() + 60_000]);
  });

  it('contain the generation in which they were issued', async () => {
    const { tokens, generations } = setUp();
    const first = tokens.issue({ id: 7 });
    expect((await tokens.verify(first)).token).toMatchObject({ generation: 0 });
    const token = tokens.issue({ id: 7, sessions: 12 });
    generations.set(7, 12);
    expect((await tokens.verify(token)).token).toMatchObject({
      generation: 12,
      jti: expect.stringMatching(/^12\.[\da-f-]{36}$/),
    });
    await expect(tokens.verify(first)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('expire a minute after they are renewed', async () => {
    const { clock, tokens, revoked, ends } = setUp();
    const { token } = await tokens.verify(tokens.issue({ id: 7 }));
    await tokens.revokeSoon(token);
    expect([...revoked.values()]).toEqual([clock.now() + 60_000]);
    expect([...ends.values()]).toEqual([clock.now() + 60_000]);
  });

  const now = Math.floor(createManualClock().now() / 1000);
  const claims = { sub: '7', jti: 'j', iat: now, exp: now + 60, iss: 'msgsite' };
  it('with the right secret and claims are accepted, even if they were issued elsewhere', async () => {
    const token = forge({ alg: 'HS256', typ: 'JWT' }, claims);
    expect((await setUp().tokens.verify(token)).token).toEqual({
      userId: 7,
      jti: 'j',
      generation: 0,
      issued: now,
      expires: now + 60,
    });
  });

  it.each([
    ['a different secret', forge({ alg: 'HS256' }, claims, 'x')],
    ['no signature', `${part({ alg: 'none' })}.${part(claims)}.`],
    ['the algorithm "none" and a signature', forge({ alg: 'none' }, claims)],
    ['a different algorithm', forge({ alg: 'HS384' }, claims)],
    ['a different issuer', forge({ alg: 'HS256' }, { ...claims, iss: 'other' })],
    ['no issuer', forge({ alg: 'HS256' }, { ...claims, iss: undefined })],
    ['no user', forge({ alg: 'HS256' }, { ...claims, sub: undefined })],
    ['a user that is not a number', forge({ alg: 'HS256' }, { ...claims, sub: 'x' })],
    ['no token ID', forge({ alg: 'HS256' }, { ...claims, jti: undefined })],
    ['no expiry', forge({ alg: 'HS256' }, { ...claims, exp: undefined })],
    ['an expiry in the past', forge({ alg: 'HS256' }, { ...claims, exp: now })],
    [
      'changed claims',
      forge({ alg: 'HS256' }, claims).replace(/\.[^.]+\./, `.${part({ ...claims, sub: '8' })}.`),
    ],
    ['no content', ''],
    ['invalid JSON', 'a.b.c'],
  ])('with %s are rejected', async (_name, token) => {
    await expect(setUp().tokens.verify(token)).rejects.toMatchObject({
      code: 'unauthorized',
      headers: { 'WWW-Authenticate': expect.stringContaining('Bearer') },
    });
  });
});
