import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../src/base/errors.js';
import type { Cashier } from '../../../src/payments/sessions/sessions.js';
import { formatTenge } from '../../../src/words/formats.js';
import { collect } from '../payments-under-test.js';
import { findFaults } from './check-books.js';
import type { Deed } from './money-bank.js';
import {
  createWorld,
  type MoneyUnderTest,
  under,
  type World,
  type WorldOptions,
} from './money-under-test.js';

/** A process and its cashier. */
interface Till {
  readonly money: MoneyUnderTest;
  readonly cashier: Cashier;
}

/** Opens another process on the storage of a world. */
export type OpenProcess = (world: World, label: string) => Promise<MoneyUnderTest>;

const asked = ({ bank }: World) => bank.asked.filter(({ name }) => name === 'refund').length;
const made = ({ bank }: World) =>
  bank.book.filter(({ kind }) => kind === 'refund').map(({ amount }) => amount);

/** Returns the outcome of a request: `done` or an error code. */
const heard = (asking: Promise<unknown>) =>
  asking.then(
    () => 'done',
    (error: AppError) => error.code,
  );

/** Tests for refunds by several processes on one storage. `open` opens a process. */
export function describeRefunds(name: string, open: OpenProcess): void {
  /** Opens two processes on one storage that contains a paid payment. */
  async function prepare(options: WorldOptions & { readonly paid?: number } = {}) {
    const { paid = 4_000, ...rest } = options;
    const world = await createWorld(rest);
    const tills: Till[] = [];
    for (const label of ['first', 'second']) {
      const money = await open(world, label);
      tills.push({ money, cashier: await money.cashier(1, tills.length + 1) });
    }
    const [first, second] = tills as [Till, Till];
    await first.money.gateway.as(first.cashier).createQr({ amount: paid }, under('paid'));
    const [payment] = world.bank.book;
    if (payment) payment.status = 'Processed';
    const refund = ({ money, cashier }: Till, returnAmount: number, key: string) =>
      money.gateway
        .as(cashier)
        .refund({ qrOperationId: Number(payment?.id), returnAmount }, under(key));
    /** Advances time until a request has its answer. */
    const settled = async <Result>(asking: Promise<Result>): Promise<Result> => {
      let isDone = false;
      const done = asking.finally(() => {
        isDone = true;
      });
      done.catch(() => {});
      for (let tries = 0; !isDone && tries < 2_000; tries += 1) {
        await world.clock.advance(100);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      return done;
    };
    /** Requests a refund that the bank answers late. Resolves when the bank has received the request. */
    const begun = async (
      till: Till,
      amount: number,
      key: string,
      deed: Deed = { lateBy: 5_000 },
    ) => {
      const before = asked(world);
      world.bank.deeds.push(deed);
      const asking = refund(till, amount, key);
      asking.catch(() => {});
      await expect.poll(() => asked(world)).toBe(before + 1);
      // The promise is in an object so that the caller's `await` does not wait for it.
      return { asking };
    };
    const close = async () => {
      for (const { money } of tills) if (!money.mortal.isDead) await money.close();
    };
    return { world, first, second, refund, settled, begun, close, id: payment?.id ?? '' };
  }

  describe(`${name}: the remaining amount of a payment`, () => {
    it('is not exceeded by two refunds, regardless of which process makes them', async () => {
      const { world, first, second, refund, close, id } = await prepare();
      await refund(first, 3_000, 'a');
      for (const till of [first, second]) {
        world.clock.jump(10);
        await expect(refund(till, 3_000, 'b')).rejects.toMatchObject({
          code: 'refused',
          status: 409,
          message: `${formatTenge(3_000)} cannot be refunded: ${formatTenge(1_000)} of payment ${id} is left. Of its ${formatTenge(4_000)}, ${formatTenge(3_000)} has been returned.`,
        });
      }
      expect([asked(world), made(world)]).toEqual([1, [3_000]]);
      world.clock.jump(10);
      await refund(second, 1_000, 'b');
      world.clock.jump(10);
      await expect(refund(first, 0.01, 'c')).rejects.toMatchObject({ code: 'refused' });
      const lines = (await first.money.lines()).filter(({ kind }) => kind === 'refund');
      expect(lines.map(({ outcome, amount }) => [outcome, amount])).toEqual([
        ['success', 3_000],
        ['failed', 3_000],
        ['failed', 3_000],
        ['success', 1_000],
        ['failed', 0.01],
      ]);
      expect(await first.money.audit.pending()).toEqual([]);
      await close();
    });

    it('excludes refunds that are in doubt or in progress in any process', async () => {
      const { world, first, second, refund, begun, settled, close } = await prepare();
      const { asking } = await begun(first, 3_000, 'a');
      for (const till of [first, second]) {
        await expect(refund(till, 1_001, 'b')).rejects.toMatchObject({
          code: 'refused',
          message: expect.stringContaining(
            `Of its ${formatTenge(4_000)}, ${formatTenge(3_000)} is being returned or in doubt.`,
          ),
        });
      }
      await settled(asking);
      world.bank.deeds.push('breaks before');
      expect(await heard(refund(first, 1_000, 'c'))).toBe('provider_error');
      expect(await heard(refund(second, 1, 'd'))).toBe('refused');
      const [doubt] = await collect(first.money.intents.list('in_doubt'));
      await first.money.adoption.closeIntent(doubt?.id ?? '', 'operator');
      expect(await heard(refund(second, 1_000, 'e'))).toBe('done');
      expect(made(world)).toEqual([3_000, 1_000]);
      await close();
    });

    it('is shared by small refunds that are requested concurrently', async () => {
      const { world, first, refund, close } = await prepare();
      const all = ['a', 'b', 'c', 'd', 'e'].map((key) => heard(refund(first, 1_000, key)));
      const came = await Promise.all(all);
      expect(came.sort()).toEqual(['done', 'done', 'done', 'done', 'refused']);
      expect(made(world)).toHaveLength(4);
      await close();
    });

    it('is not exceeded by concurrent refunds of several processes', async () => {
      const { world, first, second, refund, settled, close } = await prepare();
      for (const key of ['a', 'b', 'c']) {
        const both = [
          heard(refund(first, 3_000, `1${key}`)),
          heard(refund(second, 3_000, `2${key}`)),
        ];
        await settled(Promise.all(both));
        expect(made(world).length).toBeLessThanOrEqual(1);
      }
      await close();
    });

    it('is determined by the provider if the payment is not stored here', async () => {
      const { world, first, close } = await prepare();
      const order = { qrOperationId: 777, returnAmount: 9_999 };
      expect(await heard(first.money.gateway.as(first.cashier).refund(order, under('a')))).toBe(
        'done',
      );
      expect(made(world)).toEqual([9_999]);
      await close();
    });
  });

  describe(`${name}: a refund that another process makes with the same key`, () => {
    it('is awaited and returned', async () => {
      const { world, first, second, refund, begun, settled, close } = await prepare();
      const { asking } = await begun(first, 500, 'k');
      const again = refund(second, 500, 'k');
      expect(await settled(again)).toMatchObject({ StatusCode: 0 });
      expect(await settled(asking)).toMatchObject({ StatusCode: 0 });
      expect(made(world)).toEqual([500]);
      expect(await findFaults(world, first.money, { isOver: false })).toEqual([]);
      await close();
    });

    it('is awaited by every process, even if its key was generated', async () => {
      const { world, first, second, refund, begun, settled, close } = await prepare();
      const { asking } = await begun(first, 500, '');
      const [running] = await first.money.underWay();
      const key = running?.intent.key ?? '';
      const again = Promise.all([refund(first, 500, key), refund(second, 500, key)]);
      expect(await settled(again)).toMatchObject([{ StatusCode: 0 }, { StatusCode: 0 }]);
      expect(await settled(asking)).toMatchObject({ StatusCode: 0 });
      expect(made(world)).toEqual([500]);
      expect(await findFaults(world, first.money, { isOver: false })).toEqual([]);
      await close();
    });

    it('is made once if two processes start it concurrently', async () => {
      const { world, first, second, refund, settled, close } = await prepare();
      for (let round = 1; round <= 5; round += 1) {
        const both = [refund(first, 100, `k${round}`), refund(second, 100, `k${round}`)];
        expect(await settled(Promise.all(both))).toHaveLength(2);
        expect(made(world)).toHaveLength(round);
      }
      expect(await findFaults(world, first.money, { isOver: false })).toEqual([]);
      await close();
    });

    it('is in doubt for both processes if its answer is lost', async () => {
      const { world, first, second, refund, begun, settled, close } = await prepare();
      const { asking } = await begun(first, 500, 'k', { lateBy: 200_000 });
      const running = heard(asking);
      const again = heard(refund(second, 500, 'k'));
      expect(await settled(running)).toBe('provider_error');
      expect(await settled(again)).toBe('in_doubt');
      expect(made(world)).toEqual([500]);
      await close();
    });

    it('is repeated at an idempotent bank if its answer is lost', async () => {
      const { world, first, second, refund, begun, settled, close } = await prepare({
        idempotent: true,
      });
      const { asking } = await begun(first, 500, 'k', { lateBy: 200_000 });
      const running = heard(asking);
      const again = heard(refund(second, 500, 'k'));
      expect(await settled(running)).toBe('provider_error');
      expect(await settled(again)).toBe('done');
      expect(made(world)).toEqual([500]);
      await close();
    });

    it('is made by the other process if the bank refuses it', async () => {
      const { world, first, second, refund, begun, settled, close } = await prepare();
      const { asking } = await begun(first, 500, 'k', { refusesLateBy: 3_000 });
      const running = heard(asking);
      const again = heard(refund(second, 500, 'k'));
      expect(await settled(running)).toBe('refused');
      expect(await settled(again)).toBe('done');
      expect(made(world)).toEqual([500]);
      await close();
    });

    it('is in doubt if that process has died, and is not repeated', async () => {
      const { world, first, second, refund, begun, settled, close } = await prepare();
      await begun(first, 500, 'k');
      const waiting = heard(refund(second, 500, 'k'));
      await world.clock.advance(1_000);
      await first.money.kill();
      expect(await settled(waiting)).toBe('in_doubt');
      expect(made(world)).toEqual([500]);
      const doubts = await collect(second.money.intents.list('in_doubt'));
      expect(doubts).toMatchObject([{ kind: 'refund', amount: 500, key: 'k' }]);
      await close();
    });
  });

  describe(`${name}: the calls of a process that has died`, () => {
    it('are in doubt three seconds later if a server runs, long before its next round', async () => {
      const { world, first, second, begun, close } = await prepare();
      const stopping = new AbortController();
      const running = second.money.resolver.run(stopping.signal);
      await begun(first, 500, 'k');
      await first.money.kill();
      await world.clock.advance(2_900);
      expect(await collect(second.money.intents.list('in_doubt'))).toEqual([]);
      await world.clock.advance(200);
      await expect
        .poll(() => collect(second.money.intents.list('in_doubt')))
        .toMatchObject([{ kind: 'refund', key: 'k' }]);
      stopping.abort();
      await running;
      await close();
    });
  });
}
