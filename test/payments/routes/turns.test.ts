import { describe, expect, it } from 'vitest';
import { createRequestTurns } from '../../../src/payments/routes/define-route.js';
import type { Cashier } from '../../../src/payments/sessions/sessions.js';

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Creates requests whose work the test completes, and records the order in which they start. */
function setUp() {
  const turns = createRequestTurns({
    ofOrganization: { most: 1, maxWaiting: 2 },
    inAll: { most: 2, maxWaiting: 2 },
  });
  const begun: string[] = [];
  const ask = (name: string, organizationId: number) => {
    const principal = { session: { organizationId } } as Cashier; // Nothing else is read.
    const leaving = new AbortController();
    let resolve: (result: string) => void = () => {};
    let reject: (reason: unknown) => void = () => {};
    const work = new Promise<string>((...ends) => {
      [resolve, reject] = ends;
    });
    const answer = turns({ principal, signal: () => leaving.signal }, (signal) => {
      begun.push(name);
      signal.addEventListener('abort', () => begun.push(`${name} was left`));
      return work;
    });
    answer.catch(() => {});
    return { answer, leave: (reason: string) => leaving.abort(reason), resolve, reject };
  };
  return { begun, ask };
}

describe('expensive requests', () => {
  it('run one at a time per organization and a few at a time in total', async () => {
    const { begun, ask } = setUp();
    const [first] = [ask('a1', 1), ask('a2', 1), ask('b', 2), ask('c', 3)];
    await settle();
    expect(begun).toEqual(['a1', 'b']);
    first?.resolve('done');
    expect(await first?.answer).toBe('done');
    await settle();
    // The request of the other organization was first.
    expect(begun).toEqual(['a1', 'b', 'c']);
  });

  it('are rejected if too many are waiting, per organization and in total', async () => {
    const { ask } = setUp();
    const refusal = { code: 'rate_limited', headers: { 'Retry-After': '5' } };
    for (const name of ['a1', 'a2', 'a3']) ask(name, 1);
    await expect(ask('a4', 1).answer).rejects.toMatchObject(refusal);
    for (const [name, organization] of [['b', 2] as const, ['c', 3] as const])
      ask(name, organization);
    ask('d', 4);
    await settle();
    await expect(ask('e', 5).answer).rejects.toMatchObject(refusal);
  });

  it('are counted until their work has ended, even if the client has disconnected', async () => {
    const { begun, ask } = setUp();
    const first = ask('a1', 1);
    ask('a2', 1);
    await settle();
    first.leave('closed');
    await settle();
    expect(begun).toEqual(['a1', 'a1 was left']);
    first.reject('closed');
    await expect(first.answer).rejects.toMatchObject({ code: 'bad_request' });
    await settle();
    expect(begun).toEqual(['a1', 'a1 was left', 'a2']);
  });

  it('leave the queue when their client disconnects or the server stops', async () => {
    const { begun, ask } = setUp();
    const first = ask('a1', 1);
    const [second, third] = [ask('a2', 1), ask('a3', 1)];
    await settle();
    second.leave('shutdown');
    await expect(second.answer).rejects.toMatchObject({ code: 'shutting_down' });
    first.reject(new Error('on its own'));
    await expect(first.answer).rejects.toThrow('on its own');
    await settle();
    expect(begun).toEqual(['a1', 'a3']);
    third.resolve('done');
    expect(await third.answer).toBe('done');
  });
});
