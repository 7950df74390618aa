import { describe, expect, it } from 'vitest';
import type { Differences } from '#validators/gateway';
import { AppError } from '../../../src/base/errors.js';
import type { StateStore } from '../../../src/base/state.js';
import { positionOf } from '../../../src/payments/payment.js';
import { ProviderError } from '../../../src/payments/providers/provider.js';
import { createNightly, type NightlyOptions } from '../../../src/payments/reconcile/nightly.js';
import type { Reconcile } from '../../../src/payments/reconcile/reconcile.js';
import { createReconciliationMarks } from '../../../src/payments/reconcile/reconciliation-marks.js';
import type { Cashier } from '../../../src/payments/sessions/sessions.js';
import { providerDay } from '../../../src/payments/zoned-time.js';
import { createManualClock, type ManualClock } from '../../helpers/manual-clock.js';
import { createMemoryState } from '../../helpers/memory-state.js';
import { type LogLine, openRecordedLog } from '../../helpers/recorded-log.js';
import { intent, refund } from '../money-samples.js';
import { ours } from './sample.js';

const hour = 3_600_000;
const day = 24 * hour;
const zone = 'Asia/Almaty';

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

/** The state that remains when a process dies: stored facts and signed-in cashiers. */
interface World {
  readonly clock: ManualClock;
  readonly state: StateStore & { readonly facts: object };
  /** The times of each organization's payments. */
  readonly payments: Map<number, number[]>;
  /** Organizations without a signed-in cashier. */
  readonly signedOut: Set<number>;
  /** Organizations for which the provider does not answer. */
  readonly failing: Set<number>;
  /** The comparisons in order. */
  readonly runs: string[];
  readonly lines: LogLine[];
}

/** Sets the clock to 07:00 in Almaty on 2026-11-21. Organization 17 has a payment every hour. */
function createWorld(): World {
  const clock = createManualClock();
  const hours = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => clock.now() + (from + n) * hour);
  return {
    clock,
    state: createMemoryState(),
    payments: new Map([[17, hours(-40 * 24, 40 * 24)]]),
    signedOut: new Set(),
    failing: new Set(),
    runs: [],
    lines: [],
  };
}

async function start(world: World, overrides: Partial<NightlyOptions> = {}) {
  const { clock, payments, runs } = world;
  const { log } = await openRecordedLog(world.lines);
  const marks = createReconciliationMarks(world.state);
  const compare: Reconcile = async ({ session: { organizationId } }, which, signal) => {
    if (world.failing.has(organizationId)) throw new ProviderError('timeout', 'No answer.');
    signal.throwIfAborted();
    runs.push(`${organizationId} ${which}`);
    return { ...none, day: which };
  };
  const { reconcile = compare } = overrides;
  const ending = new AbortController();
  const nightly = createNightly({
    sessions: {
      forPayment: async (organizationId) =>
        world.signedOut.has(organizationId) ? [] : [cashier(organizationId)],
    },
    stores: {
      payments: {
        organizations: async () => [...payments.keys()],
        async page({ organizationId, after = '' }: { organizationId: number; after?: string }) {
          const before = positionOf(after).createdAt;
          const at = (payments.get(organizationId) ?? []).filter(
            (time) => time < before && time <= clock.now(),
          );
          const [createdAt] = at.sort((a, b) => b - a);
          const found = createdAt === undefined ? [] : [ours({ createdAt })];
          return { payments: found, hasMore: at.length > 1 };
        },
      },
      intents: { async *list() {} },
      refunds: { async *list() {} },
    } as never, // Nothing else is called.
    marks,
    claims: undefined,
    at: '04:00',
    zone,
    clock,
    log,
    ...overrides,
    async reconcile(who, which, signal) {
      const differences = await reconcile(who, which, signal);
      await marks.note(who.session.organizationId, which, providerDay(clock.now(), zone));
      return differences;
    },
  });
  const running = nightly.run(ending.signal);
  await clock.settle();
  return {
    ...world,
    signedIn: nightly.signedIn,
    async stop() {
      ending.abort();
      await running;
    },
  };
}

/** Returns the number of days that each organization is behind, as in the metric. */
const behindIn = async ({ state }: Pick<World, 'state'>) =>
  (await state.find('reconciliation'))?.behind;

describe('the nightly reconciliation', () => {
  it('starts with yesterday, and compares each day once during the following night', async () => {
    const { clock, runs, lines, stop } = await start(createWorld());
    expect(runs).toEqual(['17 2026-11-20']);
    await clock.advance(20.9 * hour);
    expect(runs).toHaveLength(1);
    await clock.advance(0.2 * hour);
    expect(runs).toEqual(['17 2026-11-20', '17 2026-11-21']);
    await clock.advance(2 * day);
    expect(runs.slice(2)).toEqual(['17 2026-11-22', '17 2026-11-23']);
    expect(lines[0]).toMatchObject({ level: 'info', organization: 17, day: '2026-11-20' });
    await stop();
  });

  it('compares no day twice after a restart, and compares the days when no server ran', async () => {
    const world = createWorld();
    await (await start(world)).stop();
    await (await start(world)).stop();
    expect(world.runs).toEqual(['17 2026-11-20']);
    await world.clock.advance(3 * day);
    await (await start(world)).stop();
    expect(world.runs.slice(1)).toEqual(['17 2026-11-21', '17 2026-11-22', '17 2026-11-23']);
  });

  it('skips an organization on a day without payments, and does not report it as behind', async () => {
    const world = createWorld();
    const { clock, payments } = world;
    payments.clear();
    const at = (days: number) => clock.now() + days * day;
    payments.set(3, [at(-1), at(2)]).set(4, [at(-50)]);
    const { stop } = await start(world);
    await clock.advance(4 * day);
    expect(world.runs).toEqual(['3 2026-11-20', '3 2026-11-23']);
    expect(await behindIn(world)).toEqual({});
    expect(world.lines.map(({ level }) => level)).toEqual(['info', 'info']);
    await stop();
  });

  it('compares a day that has only refunds or requests in doubt', async () => {
    const world = createWorld();
    world.payments.clear();
    const createdAt = world.clock.now() - day;
    const acts = {
      intents: {
        async *list(state: string) {
          if (state === 'in_doubt') yield intent('1', { organizationId: 5, createdAt });
        },
      },
      refunds: {
        async *list() {
          yield refund('2', { organizationId: 6, createdAt });
          yield refund('3', { organizationId: 6, createdAt: createdAt - 40 * day });
        },
      },
    };
    const payments = { organizations: async () => [], page: async () => ({ payments: [] }) };
    const stores = { ...acts, payments } as never; // Nothing else is called.
    const { stop } = await start(world, { stores });
    expect(world.runs).toEqual(['5 2026-11-20', '6 2026-11-20']);
    await stop();
  });

  it.each([
    ['forward by hours', 6 * hour],
    ['back by hours', -6 * hour],
    ['forward by a day', day],
    ['back by a day', -day],
  ])('skips no day if the wall clock is set %s', async (_name, step) => {
    const world = createWorld();
    const { clock, runs, stop } = await start(world);
    await clock.advance(21.5 * hour);
    clock.stepWallClock(step);
    await clock.advance(4 * day);
    const days = runs.map((run) => run.slice(3));
    const due = providerDay(clock.now() - day, zone);
    for (let each = '2026-11-20'; each <= due; ) {
      expect(days).toContain(each);
      each = providerDay(Date.parse(each) + day, zone);
    }
    await stop();
  });

  it('compares a day again after its end if a clock that was ahead caused an early comparison', async () => {
    const { clock, runs, stop } = await start(createWorld());
    clock.stepWallClock(day);
    await clock.advance(hour);
    expect(runs.slice(1)).toEqual(['17 2026-11-21']);
    clock.stepWallClock(-day);
    await clock.advance(day);
    expect(runs.slice(2)).toEqual(['17 2026-11-21']);
    await stop();
  });

  it('repeats no comparison if the wall clock is set back and forth around the scheduled hour', async () => {
    const { clock, runs, stop } = await start(createWorld());
    await clock.advance(21.1 * hour);
    for (const step of [-hour, hour, -hour, hour]) {
      clock.stepWallClock(step);
      await clock.advance(hour / 4);
    }
    expect(runs).toEqual(['17 2026-11-20', '17 2026-11-21']);
    await stop();
  });

  it('logs each difference as an error with advice', async () => {
    const missing = { organizationId: 17, type: 'qr', paymentId: '1001', amount: 1500 } as const;
    const { lines, stop } = await start(createWorld(), {
      reconcile: async () => ({
        ...none,
        missingHere: [{ ...missing, status: 'Processed', createdAt: null }],
      }),
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: 'error',
      organization: 17,
      difference: 'missingHere',
    });
    expect(lines[0]?.msg).toContain('msgsite pay adopt 1001 --type qr');
    await stop();
  });

  it('uses another session if the first one has ended', async () => {
    const ended: string[] = [];
    const { lines, stop } = await start(createWorld(), {
      sessions: {
        forPayment: async () =>
          ['newer', 'older'].filter((id) => !ended.includes(id)).map((id) => cashier(17, id)),
      },
      reconcile: async ({ key }) => {
        if (key === 'older') return none;
        ended.push(key);
        throw new ProviderError('session_ended', 'Sign in again.');
      },
    });
    expect(lines.map(({ level }) => level)).toEqual(['info']);
    await stop();
  });

  it('stops immediately, even while the provider hangs, and resumes with the same day', async () => {
    const world = createWorld();
    let callCount = 0;
    const { stop } = await start(world, {
      reconcile: () => {
        callCount += 1;
        return new Promise(() => {});
      },
    });
    expect(callCount).toBe(1);
    await stop();
    expect(world.lines).toEqual([]);
    await (await start(world)).stop();
    expect(world.runs).toEqual(['17 2026-11-20']);
  });

  it('compares the other organizations if the record of one is damaged', async () => {
    const world = createWorld();
    world.payments.set(3, [world.clock.now() - day]);
    const broken = { ...createMemoryState(), facts: {} };
    const state: StateStore = {
      find: (name) => (String(name) === 'reconciled-17' ? damaged() : broken.find(name)),
      change: (name, how) =>
        String(name) === 'reconciled-17' ? damaged() : broken.change(name, how),
    };
    const { stop } = await start({ ...world, state: { ...state, facts: {} } });
    expect(world.runs).toEqual(['3 2026-11-20']);
    expect(world.lines.map(({ level }) => level)).toEqual(['error', 'info']);
    await stop();
  });
});

describe('an organization whose cashier has signed out', () => {
  it('is compared after the next sign-in, oldest day first, and causes a nightly warning until then', async () => {
    const world = createWorld();
    world.signedOut.add(17);
    world.payments.set(3, [world.clock.now() + hour]);
    const { clock, runs, lines, signedIn, signedOut, stop } = await start(world);
    await clock.advance(2 * day);
    expect(runs).toEqual(['3 2026-11-21']);
    const warned = lines.filter(({ level }) => level === 'warn');
    expect(warned.map(({ organization, days }) => [organization, days])).toEqual([
      [17, 1],
      [17, 2],
      [17, 3],
    ]);
    expect(warned[2]?.msg).toMatch(/3 days behind.*msgsite pay reconcile --day 2026-11-20/);
    expect(await behindIn(world)).toEqual({ 17: 3 });
    signedOut.clear();
    signedIn(17);
    await clock.settle();
    expect(runs.slice(1)).toEqual(['17 2026-11-20', '17 2026-11-21', '17 2026-11-22']);
    expect(await behindIn(world)).toEqual({});
    signedIn(17);
    await clock.advance(hour);
    expect(runs).toHaveLength(4);
    await stop();
  });

  it('is compared for the last 31 days', async () => {
    const world = createWorld();
    await (await start(world)).stop();
    world.signedOut.add(17);
    await world.clock.advance(35 * day);
    const { clock, runs, signedIn, signedOut, stop } = await start(world);
    expect(await behindIn(world)).toEqual({ 17: 31 });
    signedOut.clear();
    signedIn(17);
    await clock.settle();
    expect(runs.slice(1)).toHaveLength(31);
    expect([runs[1], runs.at(-1)]).toEqual(['17 2026-11-25', '17 2026-12-25']);
    await stop();
  });

  it('is compared at the next startup if a cashier signed in while no server was running', async () => {
    const world = createWorld();
    world.signedOut.add(17);
    await (await start(world)).stop();
    expect(world.runs).toEqual([]);
    world.signedOut.clear();
    await (await start(world)).stop();
    expect(world.runs).toEqual(['17 2026-11-20']);
    expect(await behindIn(world)).toEqual({});
  });

  it('is no longer behind after a person has compared its days', async () => {
    const world = createWorld();
    world.signedOut.add(17);
    const { clock, state, lines, stop } = await start(world);
    expect(await behindIn(world)).toEqual({ 17: 1 });
    await createReconciliationMarks(state).note(17, '2026-11-20', '2026-11-21');
    expect(await behindIn(world)).toEqual({});
    await clock.advance(day);
    expect(await behindIn(world)).toEqual({ 17: 1 });
    expect(lines.at(-1)).toMatchObject({ oldest: '2026-11-21' });
    await stop();
  });
});

describe('a day for which the provider does not answer', () => {
  it('is retried the next night, and other days are compared in the meantime', async () => {
    const world = createWorld();
    world.payments.set(3, [world.clock.now() - day]);
    world.failing.add(17);
    const { clock, runs, lines, failing, stop } = await start(world);
    expect(runs).toEqual(['3 2026-11-20']);
    const failed = lines.filter(({ level }) => level === 'error');
    expect(failed).toMatchObject([{ organization: 17, day: '2026-11-20' }]);
    expect(failed[0]?.msg).toContain('msgsite pay reconcile --day 2026-11-20');
    await clock.advance(20 * hour);
    expect(lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    failing.clear();
    await clock.advance(2 * hour);
    expect(runs.slice(1)).toEqual(['17 2026-11-20', '17 2026-11-21']);
    expect(await behindIn(world)).toEqual({});
    await stop();
  });

  it('is retried after a sign-in', async () => {
    const world = createWorld();
    world.failing.add(17);
    const { clock, runs, failing, signedIn, stop } = await start(world);
    failing.clear();
    signedIn(17);
    await clock.settle();
    expect(runs).toEqual(['17 2026-11-20']);
    await stop();
  });
});

describe('several processes', () => {
  it('share the organizations and compare none twice', async () => {
    const world = createWorld();
    world.payments.set(3, [world.clock.now() - day]);
    const claimed = new Map<number, string>();
    const claimsOf = (name: string) => ({
      async claim(organization: number) {
        if (claimed.has(organization)) return false;
        claimed.set(organization, name);
        return true;
      },
      async release(organization: number) {
        if (claimed.get(organization) === name) claimed.delete(organization);
      },
    });
    const one = await start(world, { claims: claimsOf('one') });
    const other = await start(world, { claims: claimsOf('other') });
    await world.clock.advance(2 * day);
    expect([...world.runs].sort()).toEqual(
      ['17 2026-11-20', '17 2026-11-21', '17 2026-11-22', '3 2026-11-20'].sort(),
    );
    expect(claimed.size).toBe(0);
    await one.stop();
    await other.stop();
  });

  it('take over the comparison of a dead process and do not repeat a finished comparison', async () => {
    const world = createWorld();
    let isFree = false;
    const callTimes: number[] = [];
    const { clock, runs, state, stop } = await start(world, {
      claims: {
        async claim(organization) {
          callTimes.push(world.clock.monotonic());
          return organization === 17 && isFree;
        },
        async release() {},
      },
    });
    expect([runs, callTimes]).toEqual([[], [5_000]]);
    await clock.advance(30_000);
    expect(callTimes).toHaveLength(2);
    isFree = true;
    await clock.advance(30_000);
    expect(runs).toEqual(['17 2026-11-20']);

    // During the next night, another process has claimed the organization and finishes.
    isFree = false;
    await clock.advance(21 * hour);
    const marks = createReconciliationMarks(state);
    await marks.end(17, '2026-11-21', []);
    const before = callTimes.length;
    await clock.advance(hour);
    expect([callTimes.length - before, runs.length]).toEqual([0, 1]);
    await stop();
  });
});

async function damaged(): Promise<never> {
  throw new AppError('data_damaged', 'Damaged.');
}
