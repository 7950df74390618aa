import { describe, expect, it } from 'vitest';
import type { Intent } from '#validators/payment-records';
import type { PaymentStores } from '../../src/payments/store.js';
import { intent, refund } from './money-samples.js';
import { collect } from './payments-under-test.js';

const day = 86_400_000;
const today = Date.parse('2026-03-05T09:00:00Z');
const idsOf = (intents: readonly Intent[]) => intents.map(({ id }) => id[0]).sort();

const candidate = (id: string) => ({ id, amount: 1, madeAt: today, status: 'Processed' });

/** Tests for every store of intents and refunds. `fresh` returns an empty store, opened twice. */
export function describeMoneyStores(
  name: string,
  fresh: () => Promise<{ readonly here: PaymentStores; readonly there: PaymentStores }>,
): void {
  describe(`${name}: intents`, () => {
    it('are found by ID in every state and listed by state', async () => {
      const { here, there } = await fresh();
      const { intents } = here;
      const all = [
        intent('1', { reference: 'order 1', candidates: [candidate('1'), candidate('2')] }),
        intent('2', { state: 'adopted', operationId: '9', closedAt: today }),
        intent('3', { state: 'not_made', closedAt: today - day }),
        intent('4'),
      ];
      for (const each of all) await intents.add(each);
      for (const each of all) expect(await there.intents.find(each.id)).toEqual(each);
      expect(await there.intents.find(intent('5').id)).toBeUndefined();
      const listed = async (state: Intent['state']) =>
        idsOf(await collect(there.intents.list(state)));
      expect(await listed('in_doubt')).toEqual(['1', '4']);
      expect(await listed('adopted')).toEqual(['2']);
      expect(await listed('not_made')).toEqual(['3']);
    });

    it('are replaced when they are added again if they are closed, but not if they are in doubt', async () => {
      const { here, there } = await fresh();
      const first = intent('1');
      await here.intents.add(first);
      await there.intents.add(intent('1', { amount: 7 }));
      expect(await here.intents.find(first.id)).toEqual(first);
      const closed = { ...first, state: 'not_made', closedAt: today } as const;
      await here.intents.change(first.id, () => closed);
      expect(await there.intents.find(first.id)).toEqual(closed);
      const next = intent('1', { amount: 7, createdAt: today });
      await there.intents.add(next);
      expect(await here.intents.find(first.id)).toEqual(next);
      expect(await collect(here.intents.list('not_made'))).toEqual([]);
      expect(await collect(here.intents.list('in_doubt'))).toEqual([next]);
    });

    it('are stored once if they are added concurrently with the same ID', async () => {
      const { here, there } = await fresh();
      const intents = Array.from({ length: 8 }, (_, amount) => intent('1', { amount: amount + 1 }));
      await Promise.all(intents.map((each, n) => (n % 2 ? here : there).intents.add(each)));
      const kept = await collect(here.intents.list('in_doubt'));
      expect(kept).toHaveLength(1);
      expect(intents).toContainEqual(kept[0]);
    });

    it('are changed by one process at a time', async () => {
      const { here, there } = await fresh();
      await here.intents.add(intent('1', { candidates: [] }));
      const add = (stores: PaymentStores, n: number) =>
        stores.intents.change(intent('1').id, async (before) => {
          await new Promise((resolve) => setTimeout(resolve, 5));
          return { ...before, candidates: [...(before.candidates ?? []), candidate(String(n))] };
        });
      await Promise.all(Array.from({ length: 12 }, (_, n) => add(n % 2 ? here : there, n)));
      const { candidates = [] } = (await here.intents.find(intent('1').id)) as Intent;
      expect(candidates.map(({ id }) => Number(id)).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 12 }, (_, n) => n),
      );
    });

    it('are closed once if several processes close them concurrently', async () => {
      const { here, there } = await fresh();
      await here.intents.add(intent('1'));
      let closings = 0;
      const close = (stores: PaymentStores, operationId: string) =>
        stores.intents.change(intent('1').id, (before) => {
          if (before.state !== 'in_doubt') return undefined;
          closings += 1;
          return { ...before, state: 'adopted', operationId, closedAt: today };
        });
      const results = await Promise.all([close(here, '8'), close(there, '9')]);
      expect(closings).toBe(1);
      expect(results[0]).toEqual(results[1]);
      expect(await here.intents.find(intent('1').id)).toEqual(results[0]);
      expect(await there.intents.change(intent('2').id, () => intent('2'))).toBeUndefined();
      expect(await here.intents.find(intent('2').id)).toBeUndefined();
    });

    it('stay unchanged if a change fails', async () => {
      const { here, there } = await fresh();
      await here.intents.add(intent('1'));
      const failing = here.intents.change(intent('1').id, () => {
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await there.intents.find(intent('1').id)).toEqual(intent('1'));
      const changed = await there.intents.change(intent('1').id, (it) => ({ ...it, amount: 2 }));
      expect(changed).toEqual(intent('1', { amount: 2 }));
    });

    it('are removed if they were closed before a given day, but not while they are in doubt', async () => {
      const { here, there } = await fresh();
      await here.intents.add(intent('1'));
      const closed = (digit: string, state: 'adopted' | 'not_made', closedAt: number) =>
        here.intents.add(intent(digit, { state, closedAt }));
      await closed('2', 'adopted', Date.parse('2026-03-04T23:59:59.999Z'));
      await closed('3', 'not_made', Date.parse('2026-01-01T00:00:00Z'));
      await closed('4', 'adopted', Date.parse('2026-03-05T00:00:00Z'));
      await here.intents.removeClosedBefore('2026-03-05');
      const left = async (state: Intent['state']) =>
        idsOf(await collect(there.intents.list(state)));
      expect(await left('in_doubt')).toEqual(['1']);
      expect(await left('adopted')).toEqual(['4']);
      expect(await left('not_made')).toEqual([]);
    });
  });

  describe(`${name}: refunds`, () => {
    it('are found by intent and replaced by a refund with the same intent', async () => {
      const { here, there } = await fresh();
      await here.refunds.put(refund('1', { outcome: 'failed', createdAt: today - day }));
      await here.refunds.put(refund('2', { id: '9'.repeat(30) }));
      const next = refund('1', { createdAt: today });
      await there.refunds.put(next);
      expect(await here.refunds.find(next.intentId)).toEqual(next);
      expect(await here.refunds.find(refund('3').intentId)).toBeUndefined();
      const all = await collect(here.refunds.list());
      expect(all.sort((a, b) => b.createdAt - a.createdAt)).toEqual([
        next,
        refund('2', { id: '9'.repeat(30) }),
      ]);
    });

    it('are stored once if several are added concurrently for one intent', async () => {
      const { here, there } = await fresh();
      const refunds = Array.from({ length: 8 }, (_, n) => refund('1', { createdAt: n * day }));
      await Promise.all(refunds.map((each, n) => (n % 2 ? here : there).refunds.put(each)));
      const kept = await collect(there.refunds.list());
      expect(kept).toHaveLength(1);
      expect(refunds).toContainEqual(kept[0]);
      expect(await here.refunds.find(refund('1').intentId)).toEqual(kept[0]);
    });

    it('are listed from a given time', async () => {
      const { here, there } = await fresh();
      const at = (digit: string, createdAt: number) =>
        here.refunds.put(refund(digit, { createdAt, amount: Number(digit) }));
      await at('1', today - 2 * day);
      await at('2', today - 1);
      await at('3', today);
      await at('4', today + 3 * day);
      const since = async (time: number) =>
        (await collect(there.refunds.list({ since: time }))).map(({ amount }) => amount).sort();
      expect(await since(today)).toEqual([3, 4]);
      expect(await since(today - 1)).toEqual([2, 3, 4]);
      expect(await since(0)).toEqual([1, 2, 3, 4]);
      expect(await since(today + 4 * day)).toEqual([]);
    });

    it('are removed if they were made before a given day', async () => {
      const { here, there } = await fresh();
      await here.refunds.put(refund('1', { createdAt: Date.parse('2026-03-04T23:59:59.999Z') }));
      await here.refunds.put(refund('2', { createdAt: Date.parse('2026-03-05T00:00:00Z') }));
      await here.refunds.removeBefore('2026-03-05');
      expect(await collect(there.refunds.list())).toMatchObject([
        refund('2', { createdAt: Date.parse('2026-03-05T00:00:00Z') }),
      ]);
      expect(await there.refunds.find(refund('1').intentId)).toBeUndefined();
      await here.refunds.put(refund('1'));
      expect(await there.refunds.find(refund('1').intentId)).toEqual(refund('1'));
    });
  });
}
