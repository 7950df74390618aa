import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AppError } from '../../../src/base/errors.js';
import { repeatKeyOf } from '../../../src/payments/idempotency.js';
import { clockTolerance } from '../../../src/payments/intents/match.js';
import type { Cashier } from '../../../src/payments/sessions/sessions.js';
import { collect } from '../payments-under-test.js';
import { findFaults, intentOf } from './check-books.js';
import type { Deed } from './money-bank.js';
import { createWorld, type MoneyUnderTest, openMoney, type World } from './money-under-test.js';

const { MSGSITE_TEST_MONEY_RUNS: wanted, MSGSITE_TEST_MONEY_SEED: given } = process.env;
const numRuns = Number(wanted ?? 10);
const seed = Number(given ?? Date.now() % 1_000_000_000);

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Deed>('answers') },
  fc.constantFrom<Deed>(
    'refuses',
    'breaks after',
    'breaks before',
    'repeats an id',
    'answers without an id',
  ),
  fc.record({ lateBy: fc.constantFrom(5_000, 15_000, 65_000, 100_000) }),
  fc.record({ refusesLateBy: fc.constantFrom(15_000, 65_000) }),
  fc.record({ makes: fc.constant(777) }),
);

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      kind: fc.constantFrom('qr' as const, 'invoice' as const),
      organizationId: fc.constantFrom(1, 2),
      amount: fc.constantFrom(100, 200),
      key: fc.constantFrom('', '', 'a', 'b'),
      deed,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('refund' as const),
      of: fc.nat(5),
      amount: fc.constantFrom(10, 20),
      key: fc.constantFrom('', 'a', 'b'),
      deed,
    }),
  },
  fc.record({ do: fc.constant('repeat' as const), of: fc.nat(20), deed }),
  fc.record({
    do: fc.constant('wait' as const),
    milliseconds: fc.constantFrom(1_000, 11_000, 31_000, 61_000, 1_800_000),
  }),
  fc.record({ do: fc.constant('step' as const), hours: fc.constantFrom(-5, -1, 0, 1, 5) }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('round' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('crash' as const), at: fc.nat(40) }),
  },
  fc.record({ do: fc.constant('decide' as const) }),
  fc.record({ do: fc.constant('pay' as const), status: fc.constantFrom('Processed', 'Rejected') }),
  fc.record({ do: fc.constant('outage' as const), isAway: fc.boolean() }),
  fc.record({ do: fc.constant('full disk' as const), isFull: fc.boolean() }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Request = Extract<Step, { do: 'create' | 'refund' }>;

const setup = fc.record({
  idempotent: fc.boolean(),
  lookup: fc.boolean(),
  skew: fc.constantFrom(0, -clockTolerance + 60_000, clockTolerance - 60_000),
});

/** A request whose answer, if it ever came, is noted. */
interface Asked {
  readonly request: Request;
  key: string;
  paymentId: string;
  outcome?: 'done' | 'in_doubt' | 'unknown' | 'failed';
}

/** Processes, one after the other, that clients and people work with. */
async function createPlay(world: World) {
  const { bank, clock } = world;
  const asked: Asked[] = [];
  const faults: string[] = [];
  /** That the wall clock is off by. */
  let hours = 0;
  let money: MoneyUnderTest = await openMoney(world);
  let cashiers = new Map<number, Cashier>();

  async function signIn(): Promise<void> {
    cashiers = new Map([
      [1, await money.cashier(1)],
      [2, await money.cashier(2)],
    ]);
  }
  await signIn();

  async function restart(): Promise<void> {
    await money.kill();
    money = await openMoney(world);
    await money.resolver.recover();
    await signIn();
  }

  function call({ request, key, paymentId }: Asked, cashier: Cashier) {
    const repeat = repeatKeyOf(key);
    const { gateway } = money;
    const { amount } = request;
    if (request.do === 'refund') {
      const order = { qrOperationId: Number(paymentId), returnAmount: amount };
      return gateway.refund(cashier, order, repeat);
    }
    if (request.kind === 'qr') return gateway.createQr(cashier, { amount }, repeat);
    return gateway.createInvoice(cashier, { amount, phoneNumber: '77017654321' }, repeat);
  }

  const organizationOf = ({ request }: Asked) =>
    request.do === 'create' ? request.organizationId : 1;

  async function ask(one: Asked): Promise<void> {
    asked.push(one);
    bank.deeds.length = 0;
    bank.deeds.push(one.request.deed);
    const cashier = cashiers.get(organizationOf(one));
    if (!cashier) return;
    const { mortal } = money;
    const asking = call(one, cashier).then(
      () => {
        one.outcome = 'done';
      },
      (error: AppError) => {
        const { code, fields, headers } = error;
        const told = headers?.['Idempotency-Key'];
        if (one.key === '' && told) one.key = told;
        const isUnknown = fields?.outcome === 'unknown';
        one.outcome = isUnknown ? 'unknown' : code === 'in_doubt' ? 'in_doubt' : 'failed';
        const codes = ['in_doubt', 'provider_error', 'refused', 'conflict', 'storage_unavailable'];
        if (!codes.includes(code)) faults.push(`A client heard of ${error.stack}`);
      },
    );
    await Promise.race([asking, mortal.death, clock.settle()]);
  }

  /** What a person does who asks the bank about everything that is in doubt. */
  async function decide(): Promise<void> {
    for (const doubt of await collect(money.intents.list('in_doubt'))) {
      const { id, kind, organizationId } = doubt;
      const made = bank.book.find((each) => intentOf(each) === id);
      const cashier = cashiers.get(organizationId);
      if (!cashier) continue;
      if (!made) await money.adoption.closeIntent(id, 'operator');
      else if (kind !== 'refund') {
        await money.adoption.adopt(cashier, { id: made.id, type: kind, intentId: id });
      }
    }
  }

  const attempt = async (work: () => Promise<void>) => {
    const working = work().catch((error: AppError) => {
      if (error.code === undefined) faults.push(`Thrown: ${error.stack}`);
    });
    await Promise.race([working, money.mortal.death]);
  };

  return {
    faults,
    asked,
    async do(step: Step): Promise<void> {
      clock.jump(7);
      if (step.do === 'create') await ask({ request: step, key: step.key, paymentId: '' });
      if (step.do === 'refund') {
        const paid = bank.book.filter((each) => each.kind === 'qr' && each.organizationId === 1);
        const payment = paid[step.of % Math.max(1, paid.length)];
        if (payment) await ask({ request: step, key: step.key, paymentId: payment.id });
      }
      if (step.do === 'repeat') {
        const one = asked[step.of % Math.max(1, asked.length)];
        // One that was answered is not asked for again with a key that the client did not choose.
        if (one && one.key !== '') {
          await ask({ ...one, request: { ...one.request, deed: step.deed } });
        }
      }
      if (step.do === 'wait') {
        const slept = Math.min(step.milliseconds, 100_000);
        clock.jump(step.milliseconds - slept);
        await clock.advance(slept);
      }
      if (step.do === 'step') {
        clock.stepWallClock((step.hours - hours) * 3_600_000);
        hours = step.hours;
      }
      if (step.do === 'round') await attempt(() => money.round());
      if (step.do === 'crash') money.mortal.dieAt(step.at + 1, 'after');
      if (step.do === 'decide' && !bank.isAway) await attempt(decide);
      if (step.do === 'pay') {
        const [open] = bank.book.filter(
          ({ kind, status }) => kind !== 'refund' && status.endsWith('Created'),
        );
        const isRejected = step.status === 'Rejected' && open?.kind === 'invoice';
        if (open) open.status = isRejected ? 'RemotePaymentRejected' : step.status;
      }
      if (step.do === 'outage') bank.isAway = step.isAway;
      if (step.do === 'full disk') money.mortal.fault = step.isFull ? 'ENOSPC' : undefined;
      if (money.mortal.isDead) await restart();
    },
    /** A healthy end: everything has the time to become clear. */
    async end(): Promise<void> {
      bank.isAway = false;
      bank.deeds.length = 0;
      money.mortal.fault = undefined;
      await clock.advance(120_000);
      await restart();
      for (let round = 0; round < 4; round += 1) {
        await money.round();
        clock.jump(3_700_000);
      }
      for (const each of bank.book) {
        if (each.kind !== 'refund' && each.status.endsWith('Created')) each.status = 'Processed';
      }
      await money.watcher.start();
      const isPaid = async () => (await collect(money.listPayments('open'))).length === 0;
      await clock.advanceUntil(isPaid, 900_000).catch(() => {});
      faults.push(...(await findFaults(world, money)));
      await money.close();
    },
  };
}

it(`keeps no money in the dark, whatever happens (seed ${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(setup, fc.array(step, { minLength: 3, maxLength: 20 }), async (way, steps) => {
      const world = await createWorld(way);
      world.bank.skew = way.skew;
      const play = await createPlay(world);
      for (const each of steps) await play.do(each);
      await play.end();
      expect(play.faults, JSON.stringify(world.bank.book, null, 1)).toEqual([]);
    }),
    { numRuns, seed },
  );
}, 3_600_000);
