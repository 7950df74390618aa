import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { openLog } from '../../../src/base/open-log.js';
import { ProviderError } from '../../../src/payments/providers/provider.js';
import type { Differences } from '../../../src/payments/reconcile/differences.js';
import { createNightly, type NightlyOptions } from '../../../src/payments/reconcile/nightly.js';
import type { Cashier } from '../../../src/payments/sessions/sessions.js';
import { createManualClock } from '../../helpers/manual-clock.js';

const hour = 3_600_000;
const day = 24 * hour;

const none: Differences = {
  day: '2026-11-20',
  missingHere: [],
  missingThere: [],
  otherAmount: [],
  otherStatus: [],
  flipped: [],
  inDoubt: [],
};

function cashier(organizationId: number, id = 'session'): Cashier {
  return { key: id, session: { id, organizationId } } as Cashier; // Nothing else is read.
}

/** The nightly run of 04:00 in Almaty; the clock stands at 07:00 at first. */
async function start(overrides: Partial<NightlyOptions> = {}) {
  const clock = createManualClock();
  const runs: string[] = [];
  const lines: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(line: Buffer, _encoding, done) {
      lines.push(JSON.parse(line.toString('utf8')));
      done();
    },
  });
  const { log } = await openLog({ destination, pretty: false, level: 'info' });
  const ending = new AbortController();
  const nightly = createNightly({
    reconcile: async ({ session }, which) => {
      runs.push(`${session.organizationId} ${which}`);
      return { ...none, day: which };
    },
    sessions: {
      organizations: () => [17],
      forPayment: async (organizationId) => [cashier(organizationId)],
    },
    claims: undefined,
    at: '04:00',
    zone: 'Asia/Almaty',
    clock,
    log,
    ...overrides,
  });
  const running = nightly(ending.signal);
  return {
    clock,
    runs,
    lines,
    async stop() {
      ending.abort();
      await running;
    },
  };
}

describe('the nightly reconciliation', () => {
  it('compares yesterday at the hour, once a day', async () => {
    const { clock, runs, lines, stop } = await start();
    await clock.advance(20.9 * hour);
    expect(runs).toEqual([]);
    await clock.advance(0.2 * hour);
    expect(runs).toEqual(['17 2026-11-21']);
    await clock.advance(2 * day);
    expect(runs).toEqual(['17 2026-11-21', '17 2026-11-22', '17 2026-11-23']);
    expect(lines[0]).toMatchObject({ level: 30, organization: 17, day: '2026-11-21' });
    await stop();
  });

  it.each([
    ['forward by hours', 6 * hour],
    ['back by hours', -6 * hour],
    ['forward by a day', day],
    ['back by a day', -day],
  ])(
    'a wall clock that steps %s makes it run neither twice a day nor never',
    async (_name, step) => {
      const moments: number[] = [];
      const { clock, stop } = await start({
        reconcile: async () => {
          moments.push(clock.monotonic() / hour);
          return none;
        },
      });
      await clock.advance(21.5 * hour);
      clock.stepWallClock(step);
      await clock.advance(4 * day);
      const gaps = moments.slice(1).map((moment, n) => moment - (moments[n] ?? 0));
      expect(moments.length).toBeGreaterThanOrEqual(4);
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(12);
      expect(Math.max(...gaps)).toBeLessThanOrEqual(36);
      await stop();
    },
  );

  it('a wall clock that steps to and fro around the hour does not repeat it', async () => {
    const { clock, runs, stop } = await start();
    await clock.advance(21.1 * hour);
    for (const step of [-hour, hour, -hour, hour]) {
      clock.stepWallClock(step);
      await clock.advance(hour / 4);
    }
    expect(runs).toEqual(['17 2026-11-21']);
    await stop();
  });

  it('logs each difference as an error with what to do', async () => {
    const missing = { organizationId: 17, type: 'qr', paymentId: '1001', amount: 1500 } as const;
    const { clock, lines, stop } = await start({
      reconcile: async () => ({
        ...none,
        missingHere: [{ ...missing, status: 'Processed', createdAt: null }],
      }),
    });
    await clock.advance(21.1 * hour);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ level: 50, organization: 17, difference: 'missingHere' });
    expect(lines[0]?.msg).toContain('msgsite pay adopt 1001 --type qr');
    await stop();
  });

  it('goes on with another organization where one fails, and says how to do it again', async () => {
    const { clock, lines, stop } = await start({
      sessions: {
        organizations: () => [3, 17],
        forPayment: async (organizationId) => [cashier(organizationId)],
      },
      reconcile: async ({ session }) => {
        if (session.organizationId === 3) throw new ProviderError('timeout', 'No answer.');
        return none;
      },
    });
    await clock.advance(21.1 * hour);
    expect(lines.map(({ level, organization }) => [level, organization])).toEqual([
      [50, 3],
      [30, 17],
    ]);
    expect(lines[0]?.msg).toContain('msgsite pay reconcile --day 2026-11-21');
    await stop();
  });

  it('asks with another session where one turns out to have ended', async () => {
    const ended: string[] = [];
    const { clock, lines, stop } = await start({
      sessions: {
        organizations: () => [17],
        forPayment: async () =>
          ['newer', 'older'].filter((id) => !ended.includes(id)).map((id) => cashier(17, id)),
      },
      reconcile: async ({ key }) => {
        if (key === 'older') return none;
        ended.push(key);
        throw new ProviderError('session_ended', 'Sign in again.');
      },
    });
    await clock.advance(21.1 * hour);
    expect(lines.map(({ level }) => level)).toEqual([30]);
    await stop();
  });

  it('does what it claims, leaves what is done, and asks again for what another one does', async () => {
    const claims: ('mine' | 'busy' | 'done')[] = ['done', 'busy', 'busy', 'mine'];
    const asked: string[] = [];
    const finished: string[] = [];
    const { clock, runs, stop } = await start({
      claims: {
        async claim(which) {
          asked.push(which);
          return claims.shift() ?? 'done';
        },
        async finish(which) {
          finished.push(which);
        },
      },
    });
    await clock.advance(21.1 * hour);
    expect([asked, runs]).toEqual([['2026-11-21'], []]);
    await clock.advance(day);
    expect(asked.slice(1)).toEqual(['2026-11-22', '2026-11-22', '2026-11-22']);
    expect([runs, finished]).toEqual([['17 2026-11-22'], ['2026-11-22']]);
    await stop();
  });

  it('stops at once, also while the provider hangs', async () => {
    let asked = 0;
    const { clock, lines, stop } = await start({
      reconcile: () => {
        asked += 1;
        return new Promise(() => {});
      },
    });
    await clock.advance(21.1 * hour);
    expect(asked).toBe(1);
    await stop();
    expect(lines).toEqual([]);
  });
});
