import { describe, expect, it } from 'vitest';
import { cursorOf, newestFirst, type Payment } from '../../src/payments/payment.js';
import type { PageQuery, PaymentStores } from '../../src/payments/store.js';
import { payment } from './money-samples.js';

/** Tests for the pages of every payment store. `fresh` returns an empty store, opened twice. */
export function describePages(
  name: string,
  fresh: () => Promise<{ readonly here: PaymentStores; readonly there: PaymentStores }>,
): void {
  describe(`${name}: pages of payments`, () => {
    const start = Date.parse('2026-03-01T00:00:00Z');
    const hour = 3_600_000;

    /** Adds payments in every state, an hour apart or at the same time. Some belong to other organizations. */
    async function filled() {
      const opened = await fresh();
      const { here } = opened;
      const all: Payment[] = [];
      for (let n = 0; n < 66; n += 1) {
        // Every third payment has the same time as the previous one.
        const createdAt = start + (n % 3 === 2 ? n - 1 : n) * hour;
        const type = n % 2 ? 'qr' : 'invoice';
        const made = payment(String(1000 + n), { createdAt, type });
        const lasted = (n % 7) * 11 * hour;
        const after: Partial<Payment>[] = [
          {},
          { state: 'ended', outcome: 'success', endedAt: createdAt + lasted },
          { state: 'ended', outcome: 'expired', endedAt: createdAt + 1 },
          { state: 'unknown', endedAt: createdAt + 24 * hour },
        ];
        const stands = { ...made, ...after[n % 4] };
        await here.payments.add(made);
        if (stands.state !== 'open') await here.payments.end(stands);
        await here.payments.add({ ...made, organizationId: n % 2 ? 11 : -1 });
        all.push(stands);
      }
      return { ...opened, all: newestFirst(all) };
    }

    async function pagesOf(
      { payments }: PaymentStores,
      query: Omit<PageQuery, 'after'>,
    ): Promise<Payment[]> {
      const found: Payment[] = [];
      for (let hasMore = true; hasMore; ) {
        const last = found.at(-1);
        const page = await payments.page({ ...query, after: last && cursorOf(last) });
        expect(page.payments.length).toBe(page.hasMore ? query.limit : page.payments.length);
        found.push(...page.payments);
        hasMore = page.hasMore;
      }
      return found;
    }

    it('contain all payments of an organization, newest first', async () => {
      const { there, all } = await filled();
      for (const limit of [1, 7, 65, 66, 67]) {
        expect(await pagesOf(there, { organizationId: 1, limit }), `of ${limit}`).toEqual(all);
      }
      for (const state of ['open', 'ended', 'unknown'] as const) {
        const expected = all.filter((each) => each.state === state);
        expect(expected.length).toBeGreaterThan(15);
        expect(await pagesOf(there, { organizationId: 1, state, limit: 4 })).toEqual(expected);
      }
      expect(await pagesOf(there, { organizationId: 5, limit: 4 })).toEqual([]);
      expect(await pagesOf(there, { organizationId: -1, limit: 30 })).toHaveLength(33);
    });

    it('include changes since the previous page was read', async () => {
      const { here, there, all } = await filled();
      const page = () => there.payments.page({ organizationId: 1, limit: 10 });
      const first = await page();
      expect(first.payments).toEqual(all.slice(0, 10));
      const open = all.find(({ state }) => state === 'open') as Payment;
      const endedAt = open.createdAt + hour;
      const ended = { ...open, state: 'ended', outcome: 'success', endedAt } as const;
      await here.payments.end(ended);
      const newest = payment('1', { createdAt: start + 1_000 * hour });
      await here.payments.add(newest);
      const expected = [newest, ...all.map((each) => (each === open ? ended : each))];
      expect((await page()).payments).toEqual(expected.slice(0, 10));
      const after = cursorOf(first.payments.at(-1) as Payment);
      const second = await there.payments.page({ organizationId: 1, after, limit: 5 });
      expect(second).toEqual({ payments: all.slice(10, 15), hasMore: true });
    });

    it('continue after the cursor of a removed payment', async () => {
      const { there, all } = await filled();
      const gone = payment('1', { createdAt: start + 10.5 * hour });
      const page = await there.payments.page({
        organizationId: 1,
        after: cursorOf(gone),
        limit: 100,
      });
      expect(page.payments).toEqual(all.filter(({ createdAt }) => createdAt < gone.createdAt));
    });

    it.each([
      '',
      'x',
      '1-1-qr-',
      '1000',
      '1000-1-card-1',
      '-1-1-qr-1',
      '1e3-1-qr-1',
      `${'1'.repeat(99)}-1-qr-1`,
      "1-1-qr-1' or true",
      '1-1-qr-1\0',
    ])('reject the cursor %j', async (after) => {
      const { here } = await fresh();
      const page = here.payments.page({ organizationId: 1, after, limit: 1 });
      await expect(page).rejects.toMatchObject({
        code: 'validation_failed',
        details: [{ path: '/after' }],
      });
    });
  });
}
