import { hashSync } from 'bcryptjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createHashingThreads,
  type HashingTask,
  type HashingThreadsOptions,
} from '../../src/messaging/hashing-threads.js';
import { createPasswordHasher } from '../../src/messaging/password-hasher.js';

function setUp({ cost = 4, ...options }: HashingThreadsOptions & { cost?: number } = {}) {
  const threads = createHashingThreads(options);
  const tasks: HashingTask[] = [];
  const run = (task: HashingTask) => {
    tasks.push(task);
    return threads.run(task);
  };
  const hasher = createPasswordHasher({ cost, threads: { ...threads, run } });
  onTestFinished(() => hasher.close());
  return { ...hasher, tasks };
}

/** Returns the number of bcrypt rounds of a task. */
function roundsOf({ hash, costs }: HashingTask): number {
  const compared = hash === undefined ? [] : [Number(hash.slice(4, 6))];
  return [...compared, ...costs].reduce((sum, cost) => sum + 2 ** cost, 0);
}

describe('the password hasher', () => {
  it('creates bcrypt hashes of the given cost that match only their password', async () => {
    const hasher = setUp({ cost: 5 });
    const hash = await hasher.hash('пароль 🙂');
    expect(hash).toMatch(/^\$2[ab]\$05\$.{53}$/);
    expect(await hasher.matches('пароль 🙂', hash, 0)).toBe(true);
    expect(await hasher.matches('пароль', hash, 0)).toBe(false);
  });

  it('matches no password without a hash', async () => {
    expect(await setUp().matches('x', undefined, 0)).toBe(false);
  });

  it.each([
    { current: 5, highest: 5 },
    { current: 5, highest: 6 },
    { current: 6, highest: 5 },
  ])(
    'takes equal work for every hash and for a missing hash (cost: $current, highest stored: $highest)',
    async ({ current, highest }) => {
      const hashes = [4, 5, highest].map((cost) => hashSync('right', cost));
      const hasher = setUp({ cost: current });
      const damaged = '$2b$31$'.padEnd(60, '.');
      for (const hash of [...hashes, damaged, 'no hash', undefined]) {
        expect(await hasher.matches('right', hash, highest)).toBe(hashes.includes(hash ?? ''));
        expect(await hasher.matches('wrong', hash, highest)).toBe(false);
      }
      const rounds = hasher.tasks.map(roundsOf);
      expect(new Set(rounds)).toEqual(new Set([2 ** Math.max(current, highest)]));
    },
  );

  it('keeps the event loop responsive while it works', async () => {
    const hasher = setUp({ cost: 10 });
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await hasher.hash('some password');
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  it('rejects requests with Retry-After when its queue is full', async () => {
    const hasher = setUp({ cost: 8, threads: 1, maxQueue: 2 });
    const calls = await Promise.allSettled(
      Array.from({ length: 6 }, () => hasher.hash('some password')),
    );
    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(calls.at(-1)).toMatchObject({
      reason: { code: 'rate_limited', headers: { 'Retry-After': expect.any(String) } },
    });
    expect(await hasher.hash('afterwards')).toMatch(/^\$2/);
  });

  it('rejects queued and later requests after it was closed', async () => {
    const hasher = setUp({ cost: 10, threads: 1 });
    const waiting = Promise.allSettled([hasher.hash('running'), hasher.hash('waiting')]);
    await hasher.close();
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(hasher.hash('late')).rejects.toMatchObject({ code: 'shutting_down' });
  });
});
