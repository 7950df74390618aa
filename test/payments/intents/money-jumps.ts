import { paymentKey } from '../../../src/payments/payment.js';
import { collect } from '../payments-under-test.js';
import { intentOf } from './check-books.js';
import type { Step } from './money-steps.js';
import type { Terminal, Terminals } from './money-terminals.js';
import type { MoneyUnderTest, World } from './money-under-test.js';

const hour = 3_600_000;
const year = 365 * 24 * hour;

/** Returns the names of all money records in any state. */
async function recordsOf(money: MoneyUnderTest): Promise<ReadonlySet<string>> {
  const { intents, refunds } = money.stores;
  const states = ['in_doubt', 'adopted', 'not_made', 'abandoned'] as const;
  const listed = await Promise.all(states.map((state) => collect(intents.list(state))));
  return new Set([
    ...(await money.payments()).map((each) => `The payment ${paymentKey(each)}`),
    ...(await collect(refunds.list())).map(({ intentId }) => `The refund of ${intentId}`),
    ...listed.flat().map(({ id }) => `The request ${id}`),
    ...(await money.lines()).map(({ id }) => `The line ${id}`),
  ]);
}

/** Moves the wall clock. After that, no money record can be deleted for 24 hours of running time. */
export function createJumps({ bank, clock }: World, beside: Terminals) {
  const { terminals, faults, ask, attempt, restart, sell } = beside;
  const [first] = terminals;
  /** Keys expire after 24 hours, so the clocks are moved this far only once. */
  let hasRun = false;

  /** Removes old records, which `serve` does periodically. */
  async function cleanUp(terminal: Terminal): Promise<void> {
    const { money } = terminal;
    const ending = new AbortController();
    const cleaning = Promise.all([money.retention(ending.signal), money.removeOldLines()]);
    // The promise can reject before it is awaited.
    cleaning.catch(() => {});
    await Promise.race([clock.settle(), money.mortal.death]);
    ending.abort();
    await attempt(terminal, async () => {
      await cleaning;
    });
  }

  /** Makes a payment that ends and is partially refunded, and a request that is closed as never made. */
  async function leaveRecords(): Promise<void> {
    const payment = await sell(first);
    if (!payment) return;
    payment.status = 'Processed';
    const ending = new AbortController();
    const query = { id: payment.id, type: 'qr', organizationId: 1 } as const;
    const following = first.money.waitForOutcome(query, { signal: ending.signal }).catch(() => {});
    await clock.advance(7_000);
    ending.abort();
    await Promise.race([following, first.money.mortal.death]);
    const [amount, paymentId, isCommands] = [10, payment.id, false];
    const refund = { do: 'refund', amount, deed: 'answers' } as const;
    await ask({ request: refund, key: '', paymentId, isCommands }, first);
    const create = { do: 'create', kind: 'qr', organizationId: 1, amount: 100 } as const;
    const lost = { ...create, deed: 'breaks before' } as const;
    await ask({ request: lost, key: '', paymentId: '', isCommands }, first);
    await attempt(first, async () => {
      for (const { id, ...intent } of await collect(first.money.intents.list('in_doubt'))) {
        const isMade = bank.book.some((each) => intentOf(each) === id);
        const isLost = intent.kind === 'qr' && bank.queuedFor(intent) === undefined && !isMade;
        if (isLost) await first.money.adoption.closeIntent(id, 'operator');
      }
    });
  }

  return {
    cleanUp,
    /**
     * Moves the wall clock ahead and removes old records. If processes were running, a person then corrects the clock.
     * Otherwise the clock stays ahead, so that no session is older than the sessions that signed in before it.
     */
    async jumpAhead({ isBetweenRuns, isLater }: Extract<Step, { do: 'jump' }>): Promise<void> {
      const isFaulty = terminals.some(({ money }) => money.mortal.fault !== undefined);
      if (isFaulty || bank.isAway) return;
      await leaveRecords();
      if (first.money.mortal.isDead) return;
      const before = await Promise.race([recordsOf(first.money), first.money.mortal.death]);
      if (isBetweenRuns) for (const each of terminals) await each.money.kill();
      clock.stepWallClock(2 * year);
      if (isBetweenRuns) for (const each of terminals) await restart(each);
      // The bank's clock does not run during a jump.
      if (isLater && !hasRun && !bank.hasQueue) {
        hasRun = true;
        clock.jump(12 * hour);
      }
      await cleanUp(first);
      const { money } = first;
      const after = await Promise.race([recordsOf(money), money.mortal.death]);
      if (!isBetweenRuns) clock.stepWallClock(-2 * year);
      if (!before || !after) return;
      for (const each of before) {
        if (!after.has(each)) faults.push(`${each} is gone after a jump of the clock.`);
      }
    },
  };
}
