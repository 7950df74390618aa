import { describe, expect, it } from 'vitest';
import type { Intent, Refund } from '#validators/payment-records';
import type { RunningIntent } from '../../src/payments/intents/intent.js';
import { gatherNewest } from '../../src/payments/payment.js';
import { pageIntents, pageRefunds, type RecordPage } from '../../src/payments/record-pages.js';

const { signal } = new AbortController();
const hex = (n: number) => n.toString(16).padStart(24, '0');

function intent(n: number, more: Partial<Intent> = {}): Intent {
  return {
    id: hex(n),
    state: 'in_doubt',
    kind: 'qr',
    organizationId: 17,
    profileId: 1,
    sessionId: 'session',
    cashier: '77011234567',
    amount: 500,
    body: '',
    key: `key ${n}`,
    createdAt: 1000 * n,
    ...more,
  };
}

function refund(n: number, more: Partial<Refund> = {}): Refund {
  const { id: intentId, organizationId, amount, cashier, createdAt } = intent(n);
  const outcome = 'success';
  const own = { intentId, organizationId, amount, cashier, createdAt, outcome } as const;
  return { id: `R${n}`, paymentId: '1001', ...own, ...more };
}

/** Creates stores whose lists are unsorted. */
function stores(
  intents: readonly Intent[],
  refunds: readonly Refund[] = [],
  underWay: readonly RunningIntent[] = [],
) {
  return {
    isKeyTaken: () => true,
    intents: {
      async *list(state: Intent['state']) {
        for (const each of intents) if (each.state === state) yield each;
      },
    },
    refunds: {
      async *list() {
        yield* refunds;
      },
    },
    underWay: async () => underWay,
  };
}

/** Returns every page of a list. */
async function allPages<Row>(
  ask: (after: string | undefined) => Promise<RecordPage<Row>>,
): Promise<Row[][]> {
  const pages: Row[][] = [];
  for (let after: string | undefined; ; ) {
    const { rows, hasMore } = await ask(after);
    pages.push([...rows]);
    after = rows.at(-1)?.cursor;
    if (!hasMore) return pages;
  }
}

const query = { organizationId: 17, limit: 3, signal };

describe('a page of refunds', () => {
  const mixed = stores(
    [4, 2, 9, 6].map((n) => intent(n, { kind: 'refund', paymentId: '1001' })),
    [refund(1), refund(8, { outcome: 'failed' }), refund(3), refund(7)],
  );

  it('lists refunds newest first, including those in doubt, and continues after its cursor', async () => {
    const pages = await allPages((after) => pageRefunds(mixed, { ...query, after }));
    const ids = pages.map((page) => page.map(({ id }) => id));
    expect(ids).toEqual([
      [hex(9), 'R8', 'R7'],
      [hex(6), hex(4), 'R3'],
      [hex(2), 'R1'],
    ]);
    expect(pages[0]?.map(({ outcome }) => outcome)).toEqual([null, 'failed', 'success']);
  });

  it('omits refunds in doubt if only ended refunds are requested', async () => {
    const { rows, hasMore } = await pageRefunds(mixed, { ...query, only: 'ended', limit: 4 });
    expect([rows.map(({ id }) => id), hasMore]).toEqual([['R8', 'R7', 'R3', 'R1'], false]);
  });

  it('contains a refund that is settled during the read once, as ended', async () => {
    const settled = stores([intent(5, { kind: 'refund' })], [refund(5)]);
    const { rows } = await pageRefunds(settled, query);
    expect(rows.map(({ id, outcome }) => [id, outcome])).toEqual([['R5', 'success']]);
  });

  it('contains refunds in progress, and can be limited to one payment', async () => {
    const running = intent(9, { kind: 'refund', paymentId: '1002' });
    const some = stores(
      [intent(5, { kind: 'refund', paymentId: '1001' })],
      [refund(3), refund(4, { paymentId: '1002' })],
      [
        { intent: running, holder: 'elsewhere' },
        { intent: intent(8), holder: 'here' },
      ],
    );
    const ids = async (filter: object) =>
      (await pageRefunds(some, { ...query, limit: 9, ...filter })).rows.map(({ id }) => id);
    expect(await ids({})).toEqual([hex(9), hex(5), 'R4', 'R3']);
    expect(await ids({ paymentId: '1002' })).toEqual([hex(9), 'R4']);
    expect(await ids({ paymentId: '1001', only: 'ended' })).toEqual(['R3']);
  });

  it('contains only refunds of the organization', async () => {
    const foreign = stores(
      [intent(1), intent(2, { kind: 'refund', organizationId: 18 })],
      [refund(3, { organizationId: 18 })],
    );
    expect(await pageRefunds(foreign, query)).toEqual({ rows: [], hasMore: false });
  });
});

describe('a page of intents', () => {
  const some = stores([
    intent(1),
    intent(2, { kind: 'refund', paymentId: '1001' }),
    intent(3, { kind: 'refund', paymentId: '1002' }),
    intent(4, { organizationId: 18 }),
    intent(5, { state: 'adopted', closedAt: 6000 }),
    intent(6, { state: 'not_made', closedAt: 6000 }),
  ]);
  it.each([
    [{ state: 'in_doubt' }, [3, 2, 1]],
    [{ state: 'adopted' }, [5]],
    [{ state: 'in_doubt', kinds: ['refund'] }, [3, 2]],
    [{ state: 'in_doubt', kinds: ['refund'], paymentId: '1001' }, [2]],
    [{ state: 'in_doubt', kinds: ['invoice'] }, []],
    [{ state: 'in_doubt', after: `2000-${hex(2)}` }, [1]],
  ] as const)('filters by %j', async (filter, ids) => {
    const { rows } = await pageIntents(some, { ...query, ...filter });
    expect(rows.map(({ intent: id }) => id)).toEqual(ids.map(hex));
  });

  it('lists requests in progress as running, and as in doubt after their process has died', async () => {
    const running = stores(
      [intent(1)],
      [],
      [
        { intent: intent(2), holder: 'here' },
        { intent: intent(3), holder: 'elsewhere' },
        { intent: intent(4), holder: 'nobody' },
        { intent: intent(1), holder: 'elsewhere' },
      ],
    );
    const listed = async (state: 'running' | 'in_doubt' | 'adopted') =>
      (await pageIntents(running, { ...query, limit: 9, state })).rows.map((row) => [
        row.intent,
        row.state,
      ]);
    expect(await listed('running')).toEqual([3, 2, 1].map((n) => [hex(n), 'running']));
    expect(await listed('in_doubt')).toEqual([4, 1].map((n) => [hex(n), 'in_doubt']));
    expect(await listed('adopted')).toEqual([]);
  });

  it('sorts intents with the same time consistently across pages', async () => {
    const same = stores([3, 1, 4, 2].map((n) => intent(n, { createdAt: 5000 })));
    const pages = await allPages((after) =>
      pageIntents(same, { ...query, state: 'in_doubt', after, limit: 2 }),
    );
    const ids = pages.map((page) => page.map(({ intent: id }) => id));
    expect(ids).toEqual([
      [hex(4), hex(3)],
      [hex(2), hex(1)],
    ]);
  });

  it('stops reading when its request is aborted', async () => {
    const gone = AbortSignal.abort('closed');
    const pending = pageIntents(some, { ...query, state: 'in_doubt', signal: gone });
    await expect(pending).rejects.toBe('closed');
  });

  it.each(['5', `5-${hex(1)}x`, `-5-${hex(1)}`, '1795231669000-790155-qr-1795231669'])(
    'rejects the cursor %s',
    async (after) => {
      const pending = pageIntents(some, { ...query, state: 'in_doubt', after });
      await expect(pending).rejects.toMatchObject({ code: 'validation_failed' });
    },
  );
});

it('gatherNewest finds the newest of many rows', () => {
  const newest = gatherNewest<{ createdAt: number; key: string }>(10, undefined);
  const order = Array.from({ length: 1000 }, (_, n) => (n * 617) % 1000);
  for (const createdAt of order) newest.add({ createdAt, key: String(createdAt) });
  expect(newest.sorted().map(({ createdAt }) => createdAt)).toEqual([
    999, 998, 997, 996, 995, 994, 993, 992, 991, 990,
  ]);
});
