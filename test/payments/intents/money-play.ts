import fc from 'fast-check';
import type { AppError } from '../../../src/base/errors.js';
import { repeatKeyOf } from '../../../src/payments/idempotency.js';
import { clockTolerance } from '../../../src/payments/intents/match.js';
import type { Cashier } from '../../../src/payments/sessions/sessions.js';
import { providerDay } from '../../../src/payments/zoned-time.js';
import { collect } from '../payments-under-test.js';
import { findFaults, findUnlisted, intentOf } from './check-books.js';
import type { Deed } from './money-bank.js';
import { type MoneyUnderTest, type World, zone } from './money-under-test.js';

const { MSGSITE_TEST_MONEY_RUNS: wanted, MSGSITE_TEST_MONEY_SEED: given } = process.env;
const seed = Number(given ?? Date.now() % 1_000_000_000);

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Deed>('answers') },
  fc.constantFrom<Deed>(
    'refuses',
    'breaks after',
    'breaks before',
    'repeats an id',
    'answers without an id',
  ),
  fc.record({ lateBy: fc.constantFrom(5_000, 15_000, 65_000, 100_000) }),
  fc.record({ refusesLateBy: fc.constantFrom(15_000, 65_000) }),
  fc.record({ queuedFor: fc.constantFrom(150_000, 600_000) }),
  fc.record({ makes: fc.constant(777) }),
  fc.record({ writes: fc.constantFrom<unknown>('15 ₸', '1e2', true, [100], { Value: 100 }) }),
  fc.record({ currency: fc.constant('KGS') }),
);

const hour = 3_600_000;
const kind = fc.constantFrom('qr' as const, 'invoice' as const);
const organizationId = fc.constantFrom(1, 2);
const at = fc.constantFrom(0, 1);

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      ...{ at, kind, organizationId, deed },
      amount: fc.constantFrom(100, 200),
      key: fc.constantFrom('', '', 'a', 'b'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('refund' as const),
      ...{ at, deed },
      of: fc.nat(5),
      amount: fc.constantFrom(10, 60),
      key: fc.constantFrom('', 'a', 'b'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('repeat' as const), at, deed, of: fc.nat(20) }),
  },
  fc.record({
    do: fc.constant('wait' as const),
    milliseconds: fc.constantFrom(1_000, 11_000, 31_000, 61_000, 1_000_000, 1_900_000),
  }),
  fc.record({
    do: fc.constant('step' as const),
    hours: fc.constantFrom(-5, -1, 1, 5, 25, 24 * 30, 24 * 730),
    isBetweenRuns: fc.boolean(),
  }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('round' as const), at }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('crash' as const), at, steps: fc.nat(40) }) },
  fc.record({ do: fc.constant('decide' as const) }),
  fc.record({ do: fc.constant('pay' as const), status: fc.constantFrom('Processed', 'Rejected') }),
  fc.record({ do: fc.constant('outage' as const), isAway: fc.boolean() }),
  fc.record({ do: fc.constant('full disk' as const), at, isFull: fc.boolean() }),
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('foreign' as const),
      ...{ kind, organizationId },
      amount: fc.constantFrom(100, 200),
      isPaid: fc.boolean(),
    }),
  },
  fc.record({
    do: fc.constant('foreign refund' as const),
    of: fc.nat(5),
    amount: fc.constantFrom(10, 60),
  }),
  fc.record({ do: fc.constant('session ends' as const), organizationId }),
  fc.record({ do: fc.constant('sign in' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Request = Extract<Step, { do: 'create' | 'refund' }>;

const setup = fc.record({
  idempotent: fc.boolean(),
  lookup: fc.boolean(),
  hasKeysInHistory: fc.boolean(),
  skew: fc.constantFrom(0, -clockTolerance + 60_000, clockTolerance - 60_000),
});
type Setup = typeof setup extends fc.Arbitrary<infer T> ? T : never;

/** What a model needs of a storage. */
export interface ModelStorage {
  /**
   * Whether any number of processes serve requests on it. On files one does, the first; commands work beside it, which
   * never share the key of a creation with it.
   */
  readonly isServedByMany: boolean;
  createWorld(options: Setup): Promise<World>;
  /** A process on it; those of other labels work beside it. */
  open(world: World, label: string): Promise<MoneyUnderTest>;
}

/** A request whose answer, if it ever came, is noted. */
interface Asked {
  readonly request: Request;
  key: string;
  paymentId: string;
  /** Whether a command made up its key. */
  readonly isCommands: boolean;
  outcome?: 'done' | 'in_doubt' | 'unknown' | 'failed';
}

const expectedCodes = [
  'in_doubt',
  'provider_error',
  'session_ended',
  'refused',
  'conflict',
  'storage_unavailable',
];

interface Terminal {
  readonly label: string;
  money: MoneyUnderTest;
  cashiers: ReadonlyMap<number, Cashier>;
}

/** Two terminals on one storage, which die and start again, that clients and people work with. */
async function createPlay(world: World, storage: ModelStorage) {
  const { bank, clock } = world;
  const asked: Asked[] = [];
  const faults: string[] = [];
  /** Names of intents that were abandoned at any time: their keys were free from then on. */
  const abandoned = new Set<string>();
  let signIns = 0;

  async function signIn(terminal: Terminal): Promise<void> {
    signIns += 1;
    terminal.cashiers = new Map([
      [1, await terminal.money.cashier(1, signIns)],
      [2, await terminal.money.cashier(2, signIns)],
    ]);
  }

  async function open(label: string): Promise<Terminal> {
    const money = await storage.open(world, label);
    await money.resolver.recover();
    const terminal = { label, money, cashiers: new Map() };
    await signIn(terminal);
    return terminal;
  }
  const terminals = [await open('one'), await open('two')] as const;

  async function restart(terminal: Terminal): Promise<void> {
    await terminal.money.kill();
    Object.assign(terminal, await open(terminal.label));
  }

  function call({ request, key, paymentId }: Asked, cashier: Cashier, { money }: Terminal) {
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
  const nameOf = (one: Asked) =>
    intentOf({
      kind: one.request.do === 'refund' ? 'refund' : one.request.kind,
      organizationId: organizationOf(one),
      key: one.key,
    });

  async function ask(one: Asked, wanted: Terminal): Promise<void> {
    const { request, key } = one;
    const isServed = request.do === 'create' && key !== '';
    const terminal = isServed && !storage.isServedByMany ? terminals[0] : wanted;
    asked.push(one);
    bank.deeds.length = 0;
    bank.deeds.push(one.request.deed);
    const cashier = terminal.cashiers.get(organizationOf(one));
    if (!cashier) return;
    const { mortal } = terminal.money;
    const asking = call(one, cashier, terminal).then(
      () => {
        one.outcome = 'done';
      },
      (error: AppError) => {
        const { code, fields, headers } = error;
        const named = headers?.['Idempotency-Key'];
        if (one.key === '' && named) one.key = named;
        const isUnknown = fields?.outcome === 'unknown';
        one.outcome = isUnknown ? 'unknown' : code === 'in_doubt' ? 'in_doubt' : 'failed';
        if (!expectedCodes.includes(code)) faults.push(`A client was answered ${error.stack}`);
      },
    );
    await Promise.race([asking, mortal.death, clock.settle()]);
  }

  /** What a person does who asks the bank about everything that is in doubt. */
  async function decide({ money, cashiers }: Terminal): Promise<void> {
    for (const doubt of await collect(money.intents.list('in_doubt'))) {
      const { id, kind, organizationId, key } = doubt;
      const made = bank.book.find((each) => !each.isForeign && intentOf(each) === id);
      const cashier = cashiers.get(organizationId);
      if (!cashier || bank.queued.has(key)) continue;
      if (!made) await money.adoption.closeIntent(id, 'operator');
      else if (kind !== 'refund') {
        await money.adoption.adopt(cashier, { id: made.id, type: kind, intentId: id });
      }
    }
  }

  const attempt = async ({ money }: Terminal, work: () => Promise<void>) => {
    const working = work().catch((error: AppError) => {
      if (error.code === undefined) faults.push(`Thrown: ${error.stack}`);
    });
    await Promise.race([working, money.mortal.death]);
  };

  /** Holds at any moment, for whoever looks: a killed command's acts are recovered first. */
  async function check(): Promise<void> {
    const [{ money }] = terminals;
    if (money.mortal.fault !== undefined) return;
    await money.resolver.recover();
    for (const { id } of await collect(money.intents.list('abandoned'))) {
      if (abandoned.has(id)) continue;
      abandoned.add(id);
      const received = asked.filter((one) => one.outcome === 'done' && nameOf(one) === id);
      if (received.length > 0) faults.push(`A client has the code of the abandoned ${id}.`);
    }
    faults.push(...(await findUnlisted(world, money)));
  }

  const isOfCommand = ({ at, key }: { readonly at: number; readonly key: string }) => ({
    isCommands: at === 1 && key === '',
  });

  async function take(step: Step): Promise<void> {
    const terminal = terminals['at' in step ? step.at : 0] ?? terminals[0];
    const paid = bank.book.filter((each) => each.kind === 'qr' && each.organizationId === 1);
    const payment = 'of' in step ? paid[step.of % Math.max(1, paid.length)] : undefined;
    switch (step.do) {
      case 'create':
        return ask({ ...isOfCommand(step), request: step, key: step.key, paymentId: '' }, terminal);
      case 'refund':
        if (payment && !payment.isForeign) {
          const paymentId = payment.id;
          await ask({ isCommands: false, request: step, key: step.key, paymentId }, terminal);
        }
        return;
      case 'repeat': {
        const one = asked[step.of % Math.max(1, asked.length)];
        // One that was answered is not asked for again with a key that the client did not choose.
        if (!one || one.key === '') return;
        // A command has made up the key, and knows of no other process.
        if (one.isCommands && !storage.isServedByMany) return;
        return ask({ ...one, request: { ...one.request, deed: step.deed } }, terminal);
      }
      case 'wait': {
        const slept = Math.min(step.milliseconds, 100_000);
        clock.jump(step.milliseconds - slept);
        return clock.advance(slept);
      }
      case 'step': {
        if (step.isBetweenRuns) for (const each of terminals) await each.money.kill();
        clock.stepWallClock(step.hours * hour);
        if (step.isBetweenRuns) for (const each of terminals) await restart(each);
        return;
      }
      case 'round':
        return attempt(terminal, () => terminal.money.round());
      case 'crash':
        terminal.money.mortal.dieAt(step.steps + 1, 'after');
        return;
      case 'decide':
        if (!bank.isAway) await attempt(terminal, () => decide(terminal));
        return;
      case 'pay': {
        const open = bank.book.find(
          ({ kind, status }) => kind !== 'refund' && status.endsWith('Created'),
        );
        const isRejected = step.status === 'Rejected' && open?.kind === 'invoice';
        if (open) open.status = isRejected ? 'RemotePaymentRejected' : step.status;
        return;
      }
      case 'outage':
        bank.isAway = step.isAway;
        return;
      case 'full disk':
        terminal.money.mortal.fault = step.isFull ? 'ENOSPC' : undefined;
        return;
      case 'foreign': {
        const { kind, organizationId, amount } = step;
        const client = kind === 'invoice' ? { clientPhone: '77017654321' } : {};
        const profileId = organizationId;
        const made = bank.makeForeign({ kind, organizationId, profileId, amount, ...client });
        if (step.isPaid) made.status = 'Processed';
        return;
      }
      case 'foreign refund':
        if (payment) {
          const wanted = { kind: 'refund', organizationId: 1, profileId: 1 } as const;
          bank.makeForeign({ ...wanted, amount: step.amount, paymentId: payment.id });
        }
        return;
      case 'session ends':
        for (const { cashiers } of terminals) {
          const session = cashiers.get(step.organizationId)?.session;
          if (session) bank.ended.push(session.tokenSN);
        }
        return;
      case 'sign in':
        for (const each of terminals) {
          if (each.money.mortal.fault === undefined) await attempt(each, () => signIn(each));
        }
    }
  }

  return {
    faults,
    async do(step: Step): Promise<void> {
      clock.jump(7);
      await take(step);
      for (const each of terminals) if (each.money.mortal.isDead) await restart(each);
      const [first] = terminals;
      await Promise.race([check(), first.money.mortal.death]);
      if (!first.money.mortal.isDead) return;
      await restart(first);
      await check();
    },
    /** A healthy end: everything has the time to become clear. */
    async end(): Promise<void> {
      bank.isAway = false;
      bank.deeds.length = 0;
      for (const { money } of terminals) money.mortal.fault = undefined;
      await clock.advance(700_000);
      for (const each of terminals) await restart(each);
      const [{ money, cashiers }, other] = terminals;
      for (let round = 0; round < 4; round += 1) {
        await money.round();
        await other.money.round();
        clock.jump(3_700_000);
      }
      await compareDays(money, cashiers);
      for (const each of bank.book) {
        if (each.kind !== 'refund' && each.status.endsWith('Created')) each.status = 'Processed';
      }
      await money.watcher.start();
      const isPaid = async () => (await collect(money.listPayments('open'))).length === 0;
      await clock.advanceUntil(isPaid, 900_000).catch(() => {});
      faults.push(...(await findFaults(world, money, { mayRepeat: abandoned })));
      await money.close();
      await other.money.close();
    },
  };

  /** The nightly comparison, of every day on which something was closed as never made. */
  async function compareDays(money: MoneyUnderTest, cashiers: Terminal['cashiers']) {
    const closed = [
      ...(await collect(money.intents.list('not_made'))),
      ...(await collect(money.intents.list('abandoned'))),
    ];
    const days = new Set(closed.map(({ createdAt }) => providerDay(createdAt, zone)));
    for (const cashier of cashiers.values()) {
      for (const day of days) {
        // A pause between two readings waits for the clock.
        const comparing = money.reconcile(cashier, day, new AbortController().signal);
        let isOver = false;
        const ended = comparing.finally(() => {
          isOver = true;
        });
        await clock.advanceUntil(() => isOver, 60_000);
        await ended;
      }
    }
  }
}

/** How often the model runs, and from which seed on; both can be set by the environment. */
export const model = { seed, runs: (usual: number) => Number(wanted ?? usual) };

/** Plays random courses of requests, failures and deaths, and throws the shortest one that leaves money in the dark. */
export async function playModel(storage: ModelStorage, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(setup, fc.array(step, { minLength: 3, maxLength: 20 }), async (way, steps) => {
      const world = await storage.createWorld(way);
      world.bank.skew = way.skew;
      const play = await createPlay(world, storage);
      for (const each of steps) {
        await play.do(each);
      }
      await play.end();
      if (play.faults.length === 0) return;
      const book = JSON.stringify(world.bank.book, null, 1);
      throw new Error(`${play.faults.join('\n')}\nThe bank's book: ${book}`);
    }),
    { numRuns, seed },
  );
}
