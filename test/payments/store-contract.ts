import { describe, expect, it } from 'vitest';
import { silentLog } from '../../src/base/log.js';
import { type Payment, paymentKey } from '../../src/payments/payment.js';
import type { StoredSession } from '../../src/payments/records.js';
import { createRetention, type RetentionOptions } from '../../src/payments/retention.js';
import type { PaymentStores } from '../../src/payments/store.js';
import { createManualClock, type ManualClock } from '../helpers/manual-clock.js';
import { createRunningClock } from '../helpers/running-clock.js';
import { describeMoneyStores } from './money-contract.js';
import { intent, payment, refund } from './money-samples.js';
import { describePages } from './page-contract.js';
import { collect } from './payments-under-test.js';

/** A storage that several processes of a test can open. */
export interface StoresUnderTest {
  open(): Promise<PaymentStores>;
}

/** A stored session of a cashier. */
export const session: StoredSession = {
  id: 'a',
  tokenSN: 'token',
  vtokenSecret: 'sealed secret',
  organizationId: 1,
  profileId: 1,
  orgName: 'Shop',
  phone: '77011234567',
  createdAt: 1,
};

/** Tests for every payment storage. `prepare` creates an empty storage for each test. */
export function describePaymentStores(
  name: string,
  prepare: (clock: ManualClock) => Promise<StoresUnderTest>,
): void {
  async function fresh() {
    const clock = createManualClock();
    const under = await prepare(clock);
    return { clock, here: await under.open(), there: await under.open() };
  }

  describe(`${name}: sessions`, () => {
    it('keep the marks that two processes set concurrently', async () => {
      const { here, there } = await fresh();
      await here.sessions.add(session);
      await Promise.all([
        here.sessions.update({ ...session, loggedOutAt: 5 }),
        there.sessions.update({ ...session, endedUpstreamAt: 6 }),
      ]);
      const marked = { ...session, loggedOutAt: 5, endedUpstreamAt: 6 };
      expect(await here.sessions.find('a')).toEqual(marked);
      expect(await there.sessions.find('a')).toEqual(marked);
    });

    it('stay erased even if they are updated afterwards', async () => {
      const { here, there } = await fresh();
      await here.sessions.add(session);
      await here.sessions.erase(session);
      await there.sessions.update({ ...session, endedUpstreamAt: 6 });
      expect(await there.sessions.find('a')).toBeUndefined();
      expect(await there.sessions.ids()).toEqual([]);
    });
  });

  describe(`${name}: sign-ins in progress`, () => {
    const minute = 60_000;

    it('are visible to every process until they are finished or ten minutes old', async () => {
      const { clock, here, there } = await fresh();
      await there.signIns.setPhone('process/of the provider', '77011234567');
      const known = { phone: '77011234567', wrongCodes: 0 };
      expect(await here.signIns.find('process/of the provider')).toEqual(known);
      expect(await here.signIns.find('another')).toBeUndefined();
      await here.signIns.setPhone('finished', '77011234567');
      await there.signIns.remove('finished');
      expect(await here.signIns.find('finished')).toBeUndefined();
      await clock.advance(10 * minute - 1);
      expect(await here.signIns.find('process/of the provider')).toEqual(known);
      await clock.advance(1);
      expect(await here.signIns.find('process/of the provider')).toBeUndefined();
      expect(await here.signIns.takeCode('process/of the provider')).toBe(false);
    });

    it('continue to count wrong codes after another code is sent', async () => {
      const { here, there } = await fresh();
      await here.signIns.setPhone('sent twice', '77011234567');
      await here.signIns.takeCode('sent twice');
      await there.signIns.setPhone('sent twice', '77010000000');
      expect(await here.signIns.find('sent twice')).toEqual({
        phone: '77010000000',
        wrongCodes: 1,
      });
    });

    it('accept five codes in total, even in several processes, plus the codes that are given back', async () => {
      const { here, there } = await fresh();
      await here.signIns.setPhone('a', '77011234567');
      const takers = Array.from({ length: 8 }, (_, index) => (index % 2 ? here : there));
      const taken = await Promise.all(takers.map(({ signIns }) => signIns.takeCode('a')));
      expect(taken.filter(Boolean)).toHaveLength(5);
      await there.signIns.giveCodeBack('a');
      expect(await here.signIns.takeCode('a')).toBe(true);
      expect(await there.signIns.takeCode('a')).toBe(false);
      expect(await here.signIns.takeCode('unknown')).toBe(false);
      await here.signIns.giveCodeBack('unknown');
    });
  });

  describe(`${name}: answers`, () => {
    const day = 86_400_000;

    /** Opens two processes of a deployment that counts its running time. */
    async function counted() {
      const clock = createRunningClock();
      const under = await prepare(clock);
      const [here, there] = [await under.open(), await under.open()];
      let made = 0;
      const ask = ({ answers }: PaymentStores, body = 'b') =>
        answers.once('name', body, async (keep) => {
          made += 1;
          const answer = { StatusCode: 0, made };
          await keep(answer);
          return answer;
        });
      return { clock, here, there, ask };
    }

    it.each([
      ['ahead by 25 hours', 25 * 3_600_000],
      ['ahead by two years', 730 * day],
      ['back by a year', -365 * day],
    ])(
      'are kept for 24 hours of running time after the wall clock has jumped %s',
      async (_, step) => {
        const { clock, here, there, ask } = await counted();
        expect(await ask(here)).toMatchObject({ made: 1 });
        clock.stepWallClock(step);
        await here.answers.removeExpired(clock.now());
        expect(await ask(there)).toMatchObject({ made: 1 });
        await expect(ask(there, 'other')).rejects.toMatchObject({ code: 'conflict' });
        await clock.advance(day - 1);
        await here.answers.removeExpired(clock.now());
        expect(await ask(there)).toMatchObject({ made: 1 });
        await clock.advance(1);
        // Answers are kept for longer if the wall clock is set back.
        expect(await ask(there)).toMatchObject({ made: step > 0 ? 2 : 1 });
      },
    );

    it('are kept for 24 hours by the wall clock, even if running time is counted', async () => {
      const { clock, here, there, ask } = await counted();
      await ask(here);
      await clock.advance(2 * day);
      clock.stepWallClock(-day - 1);
      expect(await ask(there)).toMatchObject({ made: 1 });
      clock.stepWallClock(1);
      expect(await ask(there)).toMatchObject({ made: 2 });
    });

    it('without a running time expire by the wall clock only', async () => {
      const clock = createRunningClock();
      const under = await prepare(clock);
      const { ranFor } = clock;
      Object.assign(clock, { ranFor: undefined });
      const older = await under.open();
      const once = ({ answers }: PaymentStores, made: number) =>
        answers.once('name', 'b', async (keep) => {
          await keep({ made });
          return { made };
        });
      await once(older, 1);
      Object.assign(clock, { ranFor });
      const here = await under.open();
      clock.stepWallClock(day - 1);
      expect(await once(here, 2)).toEqual({ made: 1 });
      clock.stepWallClock(1);
      expect(await once(here, 2)).toEqual({ made: 2 });
    });

    it('are removed after their keys have expired, and not earlier', async () => {
      const { clock, here, ask } = await counted();
      const asked = async (name: string) => {
        let isNew = false;
        await here.answers.once(name, 'b', async (keep) => {
          isNew = true;
          await keep({});
          return {};
        });
        return isNew;
      };
      await ask(here);
      await asked('old');
      await clock.advance(3 * day);
      await asked('young');
      clock.stepWallClock(10 * day);
      await here.answers.removeExpired(clock.now());
      expect([await asked('old'), await asked('young')]).toEqual([true, false]);
    });
  });

  describe(`${name}: payments`, () => {
    it('that have ended are not reopened by a late change', async () => {
      const { here, there } = await fresh();
      await here.payments.add(payment('1'));
      await there.payments.update(payment('1', { status: 'QrTokenScanned' }));
      expect(await here.payments.find({ id: '1' })).toMatchObject([{ status: 'QrTokenScanned' }]);
      const ended = payment('1', { state: 'ended', outcome: 'success', endedAt: 2_000 });
      await here.payments.end(ended);
      await there.payments.update(payment('1', { status: 'late' }));
      expect(await here.payments.find({ id: '1' })).toEqual([ended]);
      expect(await collect(there.payments.list('open'))).toEqual([]);
    });
  });

  describe(`${name}: flips`, () => {
    const ended = {
      state: 'ended',
      outcome: 'expired',
      status: 'Expired',
      endedAt: 2_000,
    } as const;
    const key = paymentKey(payment('1'));

    it('are stored with an ended payment and reported as new once', async () => {
      const { here, there } = await fresh();
      await here.payments.add(payment('1'));
      await here.payments.end(payment('1', ended));
      expect(
        await there.payments.noteFlip(key, { flippedTo: 'Processed', flippedOutcome: 'success' }),
      ).toBe(true);
      const flip = { flippedTo: 'Processed', flippedOutcome: 'success' } as const;
      const flipped = payment('1', { ...ended, ...flip });
      expect(await here.payments.find({ id: '1' })).toEqual([flipped]);
      expect(
        await here.payments.noteFlip(key, { flippedTo: 'Processed', flippedOutcome: 'success' }),
      ).toBe(false);
      expect(
        await here.payments.noteFlip(key, { flippedTo: 'Rejected', flippedOutcome: 'failed' }),
      ).toBe(true);
      expect(await there.payments.find({ id: '1' })).toEqual([
        { ...flipped, flippedTo: 'Rejected', flippedOutcome: 'failed' },
      ]);
      expect(await collect(there.payments.list('ended'))).toHaveLength(1);
    });

    it('that are stored concurrently are reported as new once', async () => {
      const { here, there } = await fresh();
      await here.payments.add(payment('1'));
      await here.payments.end(payment('1', ended));
      const all = [here, there, here, there].map(({ payments }) =>
        payments.noteFlip(key, { flippedTo: 'Processed', flippedOutcome: 'success' }),
      );
      expect((await Promise.all(all)).filter(Boolean)).toHaveLength(1);
    });

    it('are ignored for an open, unknown or missing payment', async () => {
      const { here } = await fresh();
      await here.payments.add(payment('1'));
      expect(
        await here.payments.noteFlip(key, { flippedTo: 'Processed', flippedOutcome: 'success' }),
      ).toBe(false);
      expect(await here.payments.find({ id: '1' })).toEqual([payment('1')]);
      const unknown = payment('1', { state: 'unknown', reason: 'no_answer', endedAt: 2_000 });
      await here.payments.end(unknown);
      expect(
        await here.payments.noteFlip(key, { flippedTo: 'Processed', flippedOutcome: 'success' }),
      ).toBe(false);
      expect(await here.payments.find({ id: '1' })).toEqual([unknown]);
      expect(
        await here.payments.noteFlip('1-qr-2', {
          flippedTo: 'Processed',
          flippedOutcome: 'success',
        }),
      ).toBe(false);
    });
  });

  describe(`${name}: names of payments`, () => {
    it('include organization and type, so that equal IDs do not collide', async () => {
      const { here, there } = await fresh();
      const all = [
        payment('1', { createdAt: 4_000 }),
        payment('1', { createdAt: 3_000, organizationId: 2 }),
        payment('1', { createdAt: 2_000, type: 'invoice' }),
        payment('1', { createdAt: 1_000, organizationId: -3 }),
      ];
      for (const each of all) expect(await here.payments.add(each)).toEqual(each);
      const { payments } = there;
      expect(await payments.find({ id: '1' })).toEqual(all);
      expect(await payments.find({ id: '1', type: 'invoice' })).toEqual([all[2]]);
      expect(await payments.find({ id: '1', organizationId: 1 })).toEqual([all[0], all[2]]);
      const second = { id: '1', type: 'qr', organizationId: 2 } as const;
      expect(await payments.find(second)).toEqual([all[1]]);
      expect(await payments.find({ ...second, organizationId: 9 })).toEqual([]);
      expect(await payments.find({ id: '11' })).toEqual([]);
      await payments.end({ ...(all[1] as Payment), state: 'ended', endedAt: 5_000 });
      const states = (await here.payments.find({ id: '1' })).map(({ state }) => state);
      expect(states).toEqual(['open', 'ended', 'open', 'open']);
    });

    it('belong to the payment that was added first', async () => {
      const { here, there } = await fresh();
      const first = payment('1', { intentId: 'a'.repeat(24), reference: 'order', cashier: '7' });
      await here.payments.add(first);
      expect(await there.payments.add(payment('1', { amount: 7 }))).toEqual(first);
    });
  });

  describe(`${name}: a payment that is already closed when it is added`, () => {
    it.each(['unknown', 'ended'] as const)('is stored as %s and never polled', async (state) => {
      const { here, there } = await fresh();
      await here.payments.claimAll('serve');
      const changes = { state, endedAt: 2_000, reason: 'other_amount', profileId: 5 } as const;
      const stored = payment('1', changes);
      expect(await here.payments.add(stored)).toEqual(stored);
      expect(await here.payments.add(payment('1'))).toEqual(stored);
      expect(await there.payments.find({ id: '1' })).toEqual([stored]);
      expect(await collect(there.payments.list(state))).toEqual([stored]);
      expect(await collect(there.payments.list('open'))).toEqual([]);
      expect(
        await here.payments.takeOpen(
          () => false,
          () => {},
        ),
      ).toEqual([]);
      expect(await there.payments.claimOne(paymentKey(stored), 'pay')).toBeUndefined();
      await there.payments.update(payment('1', { status: 'late' }));
      expect(await here.payments.find({ id: '1' })).toEqual([stored]);
    });
  });

  describe(`${name}: payments by their end`, () => {
    it('are listed for a half-open period, across midnight and several pages', async () => {
      const { here, there } = await fresh();
      const midnight = Date.parse('2026-11-21T00:00:00Z');
      const ended = (id: number, endedAt: number): Payment =>
        payment(String(id), { state: 'ended', outcome: 'success', endedAt });
      const many = Array.from({ length: 520 }, (_, n) => ended(1000 + n, midnight + (n % 7)));
      const others = [
        ended(1, midnight - 1001),
        ended(2, midnight - 1000),
        ended(3, midnight + 999),
        ended(4, midnight + 1000),
        payment('5'),
        payment('6', { state: 'unknown', endedAt: midnight }),
      ];
      for (const each of [...many, ...others]) await here.payments.add(each);
      const span = { from: midnight - 1000, to: midnight + 1000 };
      const found = await collect(there.payments.listEnded(span));
      const ids = found.map(({ id }) => Number(id)).sort((a, b) => a - b);
      expect(ids).toEqual([2, 3, ...many.map(({ id }) => Number(id))]);
    });
  });

  describePages(name, fresh);
  describeMoneyStores(name, fresh);

  describe(`${name}: retention`, () => {
    const day = 86_400_000;
    const patience = { timeout: 30_000 };

    /** Adds payments that ended the given numbers of days ago (their IDs), and old open and unknown payments. */
    async function filled(daysAgo: readonly number[]) {
      const opened = await fresh();
      const { clock, here } = opened;
      for (const days of daysAgo) {
        const ended = payment(String(days), { endedAt: clock.now() - days * day });
        await here.payments.add(payment(ended.id));
        await here.payments.end({ ...ended, state: 'ended', outcome: 'success' });
      }
      await here.payments.add(payment('900'));
      await here.payments.add(payment('901'));
      await here.payments.end(payment('901', { state: 'unknown', endedAt: 2_000 }));
      return opened;
    }

    async function tidied(
      opened: Awaited<ReturnType<typeof filled>>,
      changes: Partial<RetentionOptions>,
    ) {
      const { clock, here, there } = opened;
      const stop = new AbortController();
      const findUndelivered = async () => [];
      const deletionTime = async () => clock.now();
      const options = { stores: here, clock, deletionTime, log: silentLog(), findUndelivered };
      const run = createRetention({ ...options, retention: 30 * day, ...changes });
      const done = run(stop.signal);
      const now = async () =>
        (await collect(there.payments.list('ended'))).map(({ id }) => id).sort();
      const anHourLater = async () => {
        await clock.advance(3_600_000);
        return now();
      };
      return {
        left: { now, anHourLater },
        async stop() {
          stop.abort();
          await done;
        },
      };
    }

    it('removes only payments that ended on an earlier day', async () => {
      const opened = await filled([0, 29, 30, 31, 400]);
      const { left, stop } = await tidied(opened, {});
      await expect.poll(left.now, patience).toEqual(['0', '29', '30']);
      await opened.clock.advance(day);
      await expect.poll(left.anHourLater, patience).toEqual(['0', '29']);
      await stop();
      const { payments } = opened.there;
      expect((await collect(payments.list('open'))).map(({ id }) => id)).toEqual(['900']);
      expect((await collect(payments.list('unknown'))).map(({ id }) => id)).toEqual(['901']);
      expect(await payments.find({ id: '400' })).toEqual([]);
      expect(await payments.find({ id: '0' })).toMatchObject([
        { state: 'ended', outcome: 'success' },
      ]);
    });

    it('removes refunds like payments, and removes intents a month after they were closed', async () => {
      const opened = await filled([]);
      const { clock, here, there } = opened;
      const closed = (digit: string, daysAgo: number) =>
        intent(digit, { state: 'adopted', closedAt: clock.now() - daysAgo * day });
      for (const each of [closed('1', 29), closed('2', 32), intent('3')]) {
        await here.intents.add(each);
      }
      for (const daysAgo of [1, 2, 3]) {
        const createdAt = clock.now() - daysAgo * day;
        await here.refunds.put(refund(String(daysAgo), { createdAt }));
      }
      const { stop } = await tidied(opened, { retention: 2 * day });
      const refunds = async () =>
        (await collect(there.refunds.list())).map(({ intentId }) => intentId[0]).sort();
      await expect.poll(refunds, patience).toEqual(['1', '2']);
      await stop();
      expect((await collect(there.intents.list('adopted'))).map(({ id }) => id[0])).toEqual(['1']);
      expect(await there.intents.find(intent('3').id)).toEqual(intent('3'));
    });

    it('keeps payments until their webhooks are delivered', async () => {
      const opened = await filled([31, 40, 50]);
      let undelivered = [{ organizationId: 1, type: 'qr', id: '40' } as const];
      const findUndelivered = async () => undelivered;
      const { left, stop } = await tidied(opened, { findUndelivered });
      await expect.poll(left.now, patience).toEqual(['40']);
      undelivered = [];
      await expect.poll(left.anHourLater, patience).toEqual([]);
      await stop();
    });

    it('keeps everything if it is unlimited', async () => {
      const opened = await filled([400]);
      const { left, stop } = await tidied(opened, { retention: Number.POSITIVE_INFINITY });
      await stop();
      expect(await left.now()).toEqual(['400']);
    });

    it('removes more than one batch and skips payments that must be kept', async () => {
      const opened = await filled([]);
      const { here, clock } = opened;
      const ids = Array.from({ length: 1_203 }, (_, n) => `${n}`);
      await Promise.all(
        ids.map(async (id) => {
          await here.payments.add(payment(id));
          const endedAt = clock.now() - 40 * day;
          await here.payments.end(payment(id, { state: 'ended', outcome: 'failed', endedAt }));
        }),
      );
      const stays = new Set(ids.slice(0, 700));
      const { left, stop } = await tidied(opened, {
        findUndelivered: async (payments) => payments.filter(({ id }) => stays.has(id)),
      });
      await expect.poll(async () => (await left.now()).length, patience).toBe(700);
      await stop();
    });

    it('keeps payments that have ended in the meantime, and treats a reused ID as a new payment', async () => {
      const { here, there, clock } = await filled([400]);
      const key = paymentKey(payment('400'));
      const checkedKeys: (readonly string[])[] = [];
      const choose = async (keys: readonly string[]) => {
        checkedKeys.push(keys);
        return keys;
      };
      const day = (time: number) => new Date(time).toISOString().slice(0, 10);
      expect(await there.payments.removeEndedBefore('2000-01-01', choose)).toBe(0);
      expect(checkedKeys).toEqual([]);
      expect(await there.payments.removeEndedBefore(day(clock.now()), choose)).toBe(1);
      expect(checkedKeys).toEqual([[key]]);
      // A payment with the same ID is a new payment.
      await there.payments.add(payment('400'));
      expect(await here.payments.find({ id: '400' })).toEqual([payment('400')]);
      await here.payments.end(payment('400', { state: 'ended', endedAt: clock.now() }));
      expect(await there.payments.find({ id: '400' })).toMatchObject([{ state: 'ended' }]);
    });
  });
}
