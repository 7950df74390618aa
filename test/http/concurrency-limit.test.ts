import { describe, expect, it } from 'vitest';
import { createConcurrencyLimit } from '../../src/http/route/concurrency-limit.js';

/** A request that a test answers and releases. */
function request() {
  const leaving = new AbortController();
  let end = () => {};
  return {
    signal: () => leaving.signal,
    whenAnswered(listener: () => void) {
      end = listener;
    },
    answer: () => end(),
    leave: (reason: string) => leaving.abort(reason),
  };
}

/** Requests turns, and records the order in which they begin. */
function setUp(bounds = { most: 2, maxWaiting: 3 }) {
  const limit = createConcurrencyLimit(bounds);
  const begun: string[] = [];
  const ask = (name: string, key = 'ann') => {
    const asked = request();
    const turn = limit.take(key, asked).then(() => void begun.push(name));
    turn.catch(() => {});
    return { ...asked, turn };
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { begun, ask, settle };
}

describe('the concurrency limit of a key', () => {
  it('runs a few requests at a time and the others in order of arrival', async () => {
    const { begun, ask, settle } = setUp();
    const [first, second] = ['1', '2', '3', '4', '5'].map((name) => ask(name));
    ask('other', 'bob');
    await settle();
    expect(begun).toEqual(['1', '2', 'other']);
    second?.answer();
    await settle();
    expect(begun).toEqual(['1', '2', 'other', '3']);
    first?.answer();
    await settle();
    expect(begun).toEqual(['1', '2', 'other', '3', '4']);
  });

  it('refuses requests when the queue is full, until one leaves it', async () => {
    const { begun, ask, settle } = setUp();
    const [first, , third] = ['1', '2', '3', '4', '5'].map((name) => ask(name));
    const refusal = { code: 'rate_limited', headers: { 'Retry-After': '5' } };
    await expect(ask('6').turn).rejects.toMatchObject(refusal);
    third?.leave('closed');
    await expect(third?.turn).rejects.toMatchObject({ code: 'bad_request' });
    ask('7');
    await settle();
    first?.answer();
    await settle();
    expect(begun).toEqual(['1', '2', '4']);
  });

  it('rejects waiting requests at shutdown, and is free again once all were answered', async () => {
    const { begun, ask, settle } = setUp({ most: 1, maxWaiting: 1 });
    const first = ask('1');
    const waiting = ask('2');
    waiting.leave('shutdown');
    await expect(waiting.turn).rejects.toMatchObject({ code: 'shutting_down' });
    first.answer();
    for (const name of ['3', '4', '5']) {
      const next = ask(name);
      await settle();
      next.answer();
    }
    expect(begun).toEqual(['1', '3', '4', '5']);
  });
});
