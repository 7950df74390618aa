import { describe, expect, it } from 'vitest';
import { createConcurrencyLimit } from '../../src/http/route/concurrency-limit.js';

/** Creates a request that the test completes or aborts. */
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

/** Creates a limit, and records the order in which requests start. */
function setUp(bounds = { most: 2, maxWaiting: 3 }) {
  const limit = createConcurrencyLimit(bounds);
  const begun: string[] = [];
  const ask = (name: string, key = 'ann') => {
    const created = request();
    const turn = limit.take(key, created).then(() => void begun.push(name));
    turn.catch(() => {});
    return { ...created, turn };
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { begun, ask, settle };
}

describe('the concurrency limit of a key', () => {
  it('runs a few requests concurrently and the others in order of arrival', async () => {
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

  it('rejects requests while the queue is full, until one leaves it', async () => {
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

  it('rejects waiting requests at shutdown, and accepts new ones after all responses', async () => {
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
