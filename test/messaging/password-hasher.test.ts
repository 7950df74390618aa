import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createPasswordHasher,
  type PasswordHasherOptions,
} from '../../src/messaging/password-hasher.js';

function setUp(options: Partial<PasswordHasherOptions> = {}) {
  const hasher = createPasswordHasher({ cost: 4, ...options });
  onTestFinished(() => hasher.close());
  return hasher;
}

describe('the password hasher', () => {
  it('makes bcrypt hashes of the asked-for cost that match their password only', async () => {
    const hasher = setUp({ cost: 5 });
    const hash = await hasher.hash('пароль 🙂');
    expect(hash).toMatch(/^\$2[ab]\$05\$.{53}$/);
    expect(await hasher.matches('пароль 🙂', hash)).toBe(true);
    expect(await hasher.matches('пароль', hash)).toBe(false);
  });

  it('matches nothing where there is no hash', async () => {
    expect(await setUp().matches('x', undefined)).toBe(false);
  });

  it('leaves the event loop free while it works', async () => {
    const hasher = setUp({ cost: 10 });
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await hasher.hash('some password');
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  it('refuses more than may wait, saying when to come back', async () => {
    const hasher = setUp({ cost: 8, threads: 1, longestQueue: 2 });
    const calls = await Promise.allSettled(
      Array.from({ length: 6 }, () => hasher.hash('some password')),
    );
    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(calls.at(-1)).toMatchObject({
      reason: { code: 'rate_limited', headers: { 'Retry-After': expect.any(String) } },
    });
    expect(await hasher.hash('afterwards')).toMatch(/^\$2/);
  });

  it('refuses what waits and what comes after it was closed', async () => {
    const hasher = setUp({ cost: 10, threads: 1 });
    const waiting = Promise.allSettled([hasher.hash('running'), hasher.hash('waiting')]);
    await hasher.close();
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(hasher.hash('late')).rejects.toMatchObject({ code: 'shutting_down' });
  });
});
