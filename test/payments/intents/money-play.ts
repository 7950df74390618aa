import fc from 'fast-check';
import { type PaymentName, paymentKey } from '../../../src/payments/payment.js';
import { collect } from '../payments-under-test.js';
import { findFaults, intentOf } from './check-books.js';
import type { Deed, Operation } from './money-bank.js';
import { createJumps } from './money-jumps.js';
import {
  closeOpen,
  compareAllDays,
  isUnpaid,
  passNights,
  payLate,
  rememberNights,
} from './money-nights.js';
import { type Request, type Step, setup, step } from './money-steps.js';
import {
  type Asked,
  createTerminals,
  type ModelStorage,
  type Terminal,
} from './money-terminals.js';
import type { MoneyUnderTest, World } from './money-under-test.js';
import { createWishes } from './money-wishes.js';

const { MSGSITE_TEST_MONEY_RUNS: wanted, MSGSITE_TEST_MONEY_SEED: given } = process.env;
const seed = Number(given ?? 801);

const hour = 3_600_000;

/** Creates a simulation in which clients, people, the bank and machines use two terminals. */
async function createPlay(world: World, storage: ModelStorage) {
  const { bank, clock } = world;
  await rememberNights(world);
  const beside = await createTerminals(world, storage);
  const { terminals, asked, faults, abandoned, madeTooLate, endedSessions } = beside;
  const { signIn, open, restart, ask, sell, isAwaited, attempt, check } = beside;
  const { cleanUp, jumpAhead } = createJumps(world, beside);
  const wishes = createWishes(world);

  async function refundByCommand(
    { amount, deed }: Pick<Request, 'amount' | 'deed'>,
    paymentId: string,
    terminal: Terminal,
  ): Promise<void> {
    const cashier = terminal.cashiers.get(1);
    if (!cashier) return;
    const wish = await wishes.add(terminal.money, cashier, { paymentId, amount });
    const request = { do: 'refund', amount, deed } as const;
    await ask({ isCommands: false, request, key: wish.key, paymentId, wish }, terminal);
  }

  /** Makes two clients refund more than the remaining amount, or people at two terminals request the same refund. */
  async function refundTwice(
    { deed, by, resolvedAfter }: Extract<Step, { do: 'refund twice' }>,
    { id: paymentId, ordered }: Operation,
    terminal: Terminal,
  ): Promise<void> {
    const isOne = by !== 'clients';
    const amount = ordered * (isOne ? 0.2 : 0.6);
    const refund = async (isCommands: boolean, each: Deed, where: Terminal) => {
      const request = { do: 'refund', amount, deed: each } as const;
      if (!isCommands) await ask({ isCommands, request, key: '', paymentId }, where);
      else await attempt(where, () => refundByCommand(request, paymentId, where));
    };
    await refund(by === 'commands', deed, terminal);
    clock.jump(7);
    if (resolvedAfter > 0) {
      await clock.advance(resolvedAfter);
      await attempt(terminals[0], terminals[0].money.round);
    }
    await refund(isOne, 'answers', by === 'both at one' ? terminal : terminals[1]);
  }

  /**
   * Makes a person ask the bank about all doubts and settle them. Requests that are queued at the bank are skipped. If
   * the program still waits for the answer to such a request, it must reject an attempt to close the request.
   */
  async function decide(terminal: Terminal): Promise<void> {
    const { money, cashiers } = terminal;
    for (const doubt of await collect(money.intents.list('in_doubt'))) {
      const { id, kind, organizationId } = doubt;
      const made = bank.book.find((each) => !each.isForeign && intentOf(each) === id);
      const cashier = cashiers.get(organizationId);
      const isQueued = bank.queuedFor(doubt) !== undefined;
      if (!cashier || (isQueued && !isAwaited(doubt))) continue;
      await attempt(terminal, async () => {
        if (!made) await money.adoption.closeIntent(id, 'operator');
        else if (kind === 'refund')
          await money.adoption.adopt(cashier, { id: made.id, intentId: id });
        else await money.adoption.adopt(cashier, { id: made.id, type: kind, intentId: id });
      });
    }
  }

  /** Returns the bank's QR payment for a step if it is stored here. */
  async function storedPayment(of: number, { money }: Terminal): Promise<Operation | undefined> {
    const made = bank.book.filter(
      (each) => each.kind === 'qr' && each.organizationId === 1 && !each.isForeign,
    );
    const payment = made[of % Math.max(1, made.length)];
    return payment && (await isStored(payment, money)) ? payment : undefined;
  }

  async function isStored({ id, organizationId }: Operation, money: MoneyUnderTest) {
    const stored = await money.findPayments({ id, type: 'qr', organizationId }).catch(() => []);
    return stored.length > 0;
  }

  async function sellStored(terminal: Terminal): Promise<Operation | undefined> {
    const { money } = terminal;
    const sold = await sell(terminal);
    const checking = sold && isStored(sold, money);
    return (await Promise.race([checking, money.mortal.death])) ? sold : undefined;
  }

  /**
   * Makes two terminals sell the same item concurrently. The first request is lost, and the second is made. The first
   * terminal looks for its operation while the second terminal still waits for its answer or has died.
   */
  async function sellTwice({
    kind,
    amount,
    secondDies,
  }: Extract<Step, { do: 'twins' }>): Promise<void> {
    const [first, second] = terminals;
    const sell = (deed: Deed, terminal: Terminal) => {
      const request = { do: 'create', kind, organizationId: 1, amount, deed } as const;
      return ask({ request, key: '', paymentId: '', isCommands: true }, terminal);
    };
    const resolve = () => Promise.race([attempt(first, first.money.round), clock.settle()]);
    await sell('breaks before', first);
    if (secondDies) {
      await sell({ lateBy: 5_000 }, second);
      await second.money.kill();
      return resolve();
    }
    bank.slowness = 5_000;
    await resolve();
    bank.slowness = 0;
    await sell('breaks after', second);
    await clock.advance(5_000);
  }

  /** Waits for a payment like `pay qr`, until it ends or the process is suspended as by Ctrl+Z. */
  async function follow(
    { milliseconds, how, status }: Extract<Step, { do: 'follow' }>,
    payment: Operation,
    terminal: Terminal,
  ): Promise<void> {
    const { waitForOutcome, mortal } = terminal.money;
    const ending = new AbortController();
    const query = { id: payment.id, type: 'qr', organizationId: 1 } as const;
    if (isUnpaid(payment)) payment.status = status;
    const following = waitForOutcome(query, { signal: ending.signal }).catch(() => {});
    await clock.advance(milliseconds);
    // On files, no other server can start while the first one is suspended.
    if (how === 'stands still' && !storage.isServedByMany && terminal === terminals[1]) {
      await mortal.die();
      Object.assign(terminal, await open(terminal.label));
      await clock.advance(25_000);
    } else {
      ending.abort();
      await Promise.race([following, mortal.death]);
    }
    // Claims of a dead process, and claims that cannot be released, become free a little later.
    const isOver = terminal.money.mortal.isDead || terminal.money.mortal.fault !== undefined;
    if (!isOver) await attempt(terminals[0], () => assertFree(query, terminals[0]));
  }

  /** Asserts that `serve` can claim a payment that no other process has claimed. */
  async function assertFree(query: PaymentName, { money }: Terminal): Promise<void> {
    const [payment] = await money.findPayments(query);
    if (payment?.state !== 'open' || money.mortal.fault !== undefined) return;
    const { payments } = money.stores;
    // On files, `serve` releases abandoned claims when it searches for open payments.
    const isKnown = () => true;
    if (!storage.isServedByMany) await payments.takeOpen(isKnown, () => {});
    const lease = await payments.claimOne(paymentKey(query), 'serve');
    if (!lease) faults.push(`Nobody can follow the payment ${query.id}.`);
    await lease?.release();
  }

  /** Makes a client repeat a request with its key. */
  async function repeat(one: Asked | undefined, deed: Deed, terminal: Terminal): Promise<void> {
    // A client does not repeat an answered request that had a generated key.
    if (!one || one.key === '') return;
    // The key was generated by a command, so no other process has it.
    if (one.isCommands && !storage.isServedByMany) return;
    await ask({ ...one, request: { ...one.request, deed } }, terminal);
  }

  /** Makes a person settle a request whose answer is late. */
  async function decideEarly(
    { kind, deed, milliseconds, at }: Extract<Step, { do: 'decide early' }>,
    payment: Operation | undefined,
    terminal: Terminal,
  ): Promise<void> {
    if (kind !== 'refund') {
      const request = { do: 'create', kind, organizationId: 1, amount: 200, deed } as const;
      await ask({ ...isOfCommand({ at, key: '' }), request, key: '', paymentId: '' }, terminal);
    } else if (payment) {
      const request = { do: 'refund', amount: 20, deed } as const;
      await ask({ isCommands: false, request, key: '', paymentId: payment.id }, terminal);
    }
    await clock.advance(milliseconds);
    if (!bank.isAway) await attempt(terminals[0], () => decide(terminals[0]));
  }

  /** Breaks a client's connection. The client immediately repeats its request. */
  async function askAgain(step: Extract<Step, { do: 'ask again' }>): Promise<void> {
    const [first] = terminals;
    const request = { ...step, do: 'create' } as const;
    await ask({ isCommands: false, request, key: '', paymentId: '' }, first);
    // The audit log identifies attempts by the millisecond.
    clock.jump(7);
    await repeat(asked.at(-1), 'answers', first);
  }

  const isOfCommand = ({ at, key }: { readonly at: number; readonly key: string }) => ({
    isCommands: at === 1 && key === '',
  });

  async function take(step: Step): Promise<void> {
    const terminal = terminals['at' in step ? step.at : 0] ?? terminals[0];
    const { death } = terminal.money.mortal;
    const finding = 'of' in step ? storedPayment(step.of, terminal) : undefined;
    const payment = await Promise.race([finding, death.then(() => undefined)]);
    // These steps are rare, so they make a payment if necessary.
    const isSale = step.do === 'refund twice' || step.do === 'refund by command';
    const sold = payment ?? (isSale ? await sellStored(terminal) : undefined);
    switch (step.do) {
      case 'create':
        return ask({ ...isOfCommand(step), request: step, key: step.key, paymentId: '' }, terminal);
      case 'twins':
        return sellTwice(step);
      case 'ask again':
        return askAgain(step);
      case 'refund':
        if (payment) {
          const paymentId = payment.id;
          await ask({ isCommands: false, request: step, key: step.key, paymentId }, terminal);
        }
        return;
      case 'refund by command':
        if (sold) await attempt(terminal, () => refundByCommand(step, sold.id, terminal));
        return;
      case 'refund twice':
        if (sold) await refundTwice(step, sold, terminal);
        return;
      case 'follow':
        if (payment) await follow(step, payment, terminal);
        return;
      case 'repeat':
        return repeat(asked.at(-1 - (step.of % Math.max(1, asked.length))), step.deed, terminal);
      case 'wait': {
        const slept = Math.min(step.milliseconds, 100_000);
        clock.jump(step.milliseconds - slept);
        return clock.advance(slept);
      }
      case 'step': {
        if (step.isBetweenRuns) for (const each of terminals) await each.money.kill();
        clock.stepWallClock(step.hours * hour);
        if (step.isBetweenRuns) for (const each of terminals) await restart(each);
        if (step.next === 'clean up') await cleanUp(terminals[0]);
        if (step.next !== 'repeat') return;
        return repeat(
          asked.findLast(({ key }) => key.length === 1),
          'answers',
          terminals[0],
        );
      }
      case 'round':
        return attempt(terminal, () => terminal.money.round());
      case 'crash':
        terminal.money.mortal.dieAt(step.steps + 1, 'after');
        return;
      case 'decide':
        if (!bank.isAway) await attempt(terminal, () => decide(terminal));
        return;
      case 'decide early':
        return decideEarly(step, payment, terminal);
      case 'jump':
        return jumpAhead(step);
      case 'pay': {
        const open = bank.book.find(isUnpaid);
        const isRejected = step.status === 'Rejected' && open?.kind === 'invoice';
        if (open) open.status = isRejected ? 'RemotePaymentRejected' : step.status;
        return;
      }
      case 'pay late': {
        payLate(bank);
        return;
      }
      case 'clean up':
        return cleanUp(terminal);
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
      const isDead = ({ money }: Terminal) => money.mortal.isDead;
      const dead = terminals.filter(isDead);
      for (const { money } of dead) await money.kill();
      // The lists must contain the calls of dead processes even before they are recovered.
      const other = terminals.find((each) => !isDead(each));
      if (other) await Promise.race([check(other), other.money.mortal.death]);
      const fallen = terminals.filter(isDead);
      for (const each of fallen) await restart(each);
      const [first] = terminals;
      if (fallen.length > 0) await Promise.race([check(first), first.money.mortal.death]);
      if (isDead(first)) await restart(first);
    },
    /** Ends the simulation without further failures, so that all doubts that can be settled are settled. */
    async end(): Promise<void> {
      bank.isAway = false;
      bank.deeds.length = 0;
      for (const { money } of terminals) {
        money.mortal.fault = undefined;
        money.mortal.dieAt(Number.POSITIVE_INFINITY, 'before');
      }
      const [first, other] = terminals;
      for (const milliseconds of [70_000, 70_000, 700_000]) {
        await first.money.round();
        await clock.advance(milliseconds);
        await check(first);
      }
      const [counted, noticed] = [world.counted.sessionsEnded, endedSessions.size];
      if (!beside.hasRestarted() && counted < noticed) {
        faults.push(`${counted} of ${noticed} ended sessions were counted.`);
      }
      // The other terminal may be suspended. No payment may depend on it.
      await restart(first);
      await resolveAll();
      await clock.advance(2_000_000);
      const { money } = first;
      faults.push(...(await passNights(world, money, () => signIn(first))));
      faults.push(...(await closeOpen(world, money)));
      payLate(bank);
      await restart(other);
      await resolveAll();
      faults.push(...(await compareAllDays(world, money, first.cashiers)));
      if (world.logged.some(({ msg }) => msg.includes('unknown status'))) {
        faults.push('A status of the contract was reported as unknown.');
      }
      const options = { mayRepeat: abandoned, madeTooLate };
      faults.push(...wishes.findRepeated((made) => !madeTooLate.has(intentOf(made))));
      faults.push(...(await findFaults(world, money, options)));
      await money.close();
      await other.money.close();
    },
  };

  async function resolveAll(): Promise<void> {
    const [first] = terminals;
    for (let round = 0; round < 4; round += 1) {
      for (const { money } of terminals) await money.round();
      await check(first);
      clock.jump(3_700_000);
    }
  }
}

/** The seed and the number of runs. Environment variables override them. */
export const model = { seed, runs: (usual: number) => Number(wanted ?? usual) };

/** Runs random sequences of requests, failures and deaths. Throws the shortest one that leaves money unrecorded. */
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
    // A sequence that does not end is also a fault.
    { numRuns, seed, timeout: 60_000 },
  );
}
