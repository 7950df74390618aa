import { describe, expect, it } from 'vitest';
import type { StoredSession } from '../../src/payments/records.js';
import { rank } from '../../src/payments/sessions/session-index.js';

function session(id: string, createdAt: number, more: Partial<StoredSession> = {}): StoredSession {
  return {
    id,
    tokenSN: id,
    vtokenSecret: '',
    organizationId: 1,
    profileId: 1,
    orgName: '',
    phone: '',
    createdAt,
    ...more,
  };
}

describe('the session for polling a payment', () => {
  const gone = { loggedOutAt: 5 };
  const dead = { endedUpstreamAt: 5 };
  it.each([
    [
      'the newest valid session',
      [session('a', 1), session('b', 3), session('c', 2)],
      ['b', 'c', 'a'],
    ],
    [
      'the session that made the payment, even if it is logged out, but after valid sessions',
      [session('made', 9, gone), session('b', 1)],
      ['b', 'made'],
    ],
    ['no other session that is logged out', [session('a', 9, gone)], []],
    [
      'no ended session if there is another session',
      [session('a', 9, dead), session('b', 1)],
      ['b'],
    ],
    [
      'the newest ended session if there is no other session',
      [session('a', 1, dead), session('b', 2, dead)],
      ['b'],
    ],
    ['none if nobody is signed in', [], []],
  ])('is %s', (_, sessions, ids) => {
    expect(rank(sessions, 'made').map(({ id }) => id)).toEqual(ids);
  });
});
