import { describe, expect, it } from 'vitest';
import type { Intent, Refund } from '#validators/payment-records';
import { type Payment, paymentKey } from '../../../src/payments/payment.js';
import { ProviderError } from '../../../src/payments/providers/provider.js';
import { createReconcile } from '../../../src/payments/reconcile/reconcile.js';
import type { Cashier } from '../../../src/payments/sessions/sessions.js';
import { meaningOf } from '../../../src/payments/watching/payment-rules.js';
import { createManualClock } from '../../helpers/manual-clock.js';
import { noon, ours, refund } from './sample.js';

const hour = 3_600_000;
const cashier = { key: 'session', session: { organizationId: 17 } } as Cashier; // Nothing else is read.

type Row = Readonly<Record<string, unknown>>;

/** Returns a row of the provider's statement, at 07:00 in Almaty. */
function row(more: Row = {}): Row {
  return {
    Id: 1001,
    OperationType: 'Qr',
    Status: 'Processed',
    Amount: 1500,
    ReturnedAmount: 0,
    TransactionDate: '2026-11-21T07:00:00',
    ...more,
  };
}

interface World {
  readonly payments?: readonly Payment[];
  readonly refunds?: readonly Refund[];
  readonly intents?: readonly Intent[];
  /** Pages of the statement. */
  readonly pages?: readonly (readonly Row[])[];
  /** Answers about single operations that are not in the statement, by ID. */
  readonly single?: Readonly<Record<string, Row>>;
  /** Called for each request for a single operation. */
  onAsked?(id: string): void;
}

async function* each<Item>(items: readonly Item[]) {
  yield* items;
}

/** Compares 2026-11-21. The stores and the provider are lists. */
async function reconcile(world: World, day = '2026-11-21', leaving = new AbortController()) {
  const { payments = [], refunds = [], intents = [], pages = [], single = {} } = world;
  const flips: string[] = [];
  const rechecked: string[] = [];
  const periods: unknown[] = [];
  const answer = async (id: string) => {
    world.onAsked?.(id);
    const found = single[id] ?? pages.flat().find(({ Id }) => String(Id) === id);
    if (!found) throw new ProviderError('not_found', `There is no operation ${id}.`);
    return { StatusCode: 0, Data: found };
  };
  const run = createReconcile({
    gateway: {
      as: () => ({
        async operations(period) {
          const page = periods.push(period) - 1;
          return {
            StatusCode: 0,
            Data: { Operations: pages[page] ?? [], HasMore: page < pages.length - 1 },
          };
        },
        qrStatus: answer,
        invoiceDetails: answer,
        operationDetails: (id) => answer(String(id)),
      }),
    },
    payments: {
      find: async ({ id, organizationId }) =>
        payments.filter((each) => each.id === id && each.organizationId === organizationId),
      page: async ({ organizationId, limit }) => ({
        payments: payments
          .filter((each) => each.organizationId === organizationId)
          .sort((a, b) => b.createdAt - a.createdAt)
          .slice(0, limit),
        hasMore: false,
      }),
    },
    intents: { list: (state) => each(intents.filter((each) => each.state === state)) },
    refunds: { list: () => each(refunds) },
    recheck: async ({ id }) => void rechecked.push(id),
    noteFlip: async (payment, { status }) => {
      flips.push(`${paymentKey(payment)} ${status}`);
    },
    judge: (type, status) => meaningOf(type, status) ?? 'pending',
    zone: 'Asia/Almaty',
    interval: 0,
    clock: { ...createManualClock(), sleep: async () => {} },
  });
  const { day: _, ...lists } = await run(cashier, day, leaving.signal);
  const different = Object.entries(lists).filter(([, list]) => list.length > 0);
  return {
    ...Object.fromEntries(different),
    ...(flips.length > 0 ? { flips } : {}),
    ...(rechecked.length > 0 ? { rechecked } : {}),
    periods,
  };
}

async function differences(world: World, day?: string) {
  const { periods, ...found } = await reconcile(world, day);
  return found;
}

describe('equal data on both sides', () => {
  it.each<[string, World]>([
    ['no data', {}],
    ['a payment', { payments: [ours()], pages: [[row()]] }],
    [
      'a payment with a different open status at the provider',
      {
        payments: [ours()],
        pages: [
          [
            {
              QrOperationId: '1001',
              Status: 'Processed',
              Amount: '1500.00',
              Date: '2026-11-21 07:00',
            },
          ],
        ],
      },
    ],
    [
      'a payment of the day before by the provider’s clock',
      {
        payments: [ours({ createdAt: noon - 7 * hour })],
        pages: [[row({ TransactionDate: '2026-11-20T23:58:00' })]],
      },
    ],
    [
      'a payment of the day after by our clock',
      {
        payments: [ours({ createdAt: noon + 17 * hour + 60_000 })],
        pages: [[row({ TransactionDate: '2026-11-21T23:59:00' })]],
      },
    ],
    [
      'a payment whose local creation time is days off',
      {
        payments: [ours({ createdAt: noon - 100 * 24 * hour })],
        pages: [[row()]],
      },
    ],
    [
      'a payment that is not in the provider’s statement',
      {
        payments: [ours({ outcome: 'expired', status: 'Expired' })],
        single: { 1001: row({ Status: 'Expired' }) },
      },
    ],
    [
      'payments of other days',
      {
        payments: [ours({ id: '5', createdAt: noon - 30 * hour })],
        pages: [[row({ Id: 6, TransactionDate: '2026-11-20T07:00:00' })]],
      },
    ],
    ['payments of other organizations', { payments: [ours({ organizationId: 3 })] }],
    [
      'a refund',
      {
        payments: [ours()],
        refunds: [refund()],
        pages: [[row({ ReturnedAmount: 500 })]],
      },
    ],
    [
      'a refund of another day’s payment',
      {
        refunds: [refund({ paymentId: '7' })],
        single: { 7: row({ Id: 7, ReturnedAmount: 500 }) },
      },
    ],
    [
      'a statement row that is a refund',
      {
        payments: [ours()],
        refunds: [refund()],
        pages: [
          [row({ Id: 100101, OperationType: 'Return', Amount: 500 }), row({ ReturnedAmount: 500 })],
        ],
      },
    ],
    [
      'an invoice with its other ID in the statement',
      {
        payments: [ours({ type: 'invoice', id: '5', otherId: '9' })],
        pages: [[row({ Id: undefined, QrOperationId: 9, OperationType: 'Invoice' })]],
      },
    ],
    [
      'an invoice stored under the second ID in the statement',
      {
        payments: [ours({ type: 'invoice', id: '9' })],
        pages: [[row({ Id: 5, QrOperationId: 9, OperationType: 'Invoice' })]],
      },
    ],
    [
      'an invoice stored under the second ID whose creation time is days off',
      {
        payments: [ours({ type: 'invoice', id: '9', createdAt: noon - 100 * 24 * hour })],
        pages: [[row({ Id: 5, QrOperationId: 9, OperationType: 'Invoice' })]],
      },
    ],
    [
      'an invoice that is not in the statement but is found by both IDs',
      {
        payments: [ours({ type: 'invoice', id: '9' })],
        single: { 9: row({ Id: 5, QrOperationId: 9, OperationType: 'Invoice' }) },
      },
    ],
    [
      'refunds of an invoice by either ID',
      {
        payments: [ours({ type: 'invoice', id: '5', otherId: '9' })],
        refunds: [refund({ paymentId: '5' }), refund({ paymentId: '9', amount: 200 })],
        pages: [[row({ Id: 5, OperationType: 'Invoice', ReturnedAmount: 700 })]],
      },
    ],
    [
      'refunds of another day’s operation with a long ID',
      {
        refunds: [refund({ paymentId: '9007199254740993' })],
        single: { '9007199254740993': row({ Id: 9007199254740993n, ReturnedAmount: 500 }) },
      },
    ],
  ])('causes no differences: %s', async (_name, world) => {
    expect(await differences(world)).toEqual({});
  });
});

it('reconcile requests operations by all digits of their IDs', async () => {
  const requestedIds: string[] = [];
  await reconcile({
    refunds: [refund({ paymentId: '9007199254740993' })],
    onAsked: (id) => requestedIds.push(id),
  });
  expect(requestedIds).toEqual(['9007199254740993']);
});

describe('reconcile', () => {
  it('reports an operation that is missing here', async () => {
    expect(await differences({ pages: [[row({ OperationType: 'Invoice' })]] })).toEqual({
      missingHere: [
        {
          organizationId: 17,
          type: 'invoice',
          paymentId: '1001',
          amount: 1500,
          status: 'Processed',
          createdAt: '2026-11-21T02:00:00.000Z',
        },
      ],
    });
  });

  it('reports a payment that the provider does not find', async () => {
    const createdAt = '2026-11-21T02:00:00.000Z';
    const name = { organizationId: 17, type: 'qr', paymentId: '1001' };
    expect(await differences({ payments: [ours()] })).toEqual({
      missingThere: [{ ...name, amount: 1500, status: 'Processed', createdAt }],
    });
  });

  it('reports a different amount', async () => {
    const world = { payments: [ours()], pages: [[row({ Amount: 150 })]] };
    expect(await differences(world)).toMatchObject({
      otherAmount: [{ paymentId: '1001', amount: 1500, providerAmount: 150 }],
    });
  });

  it('reports a different final status as a different status and a flip, and stores the flip', async () => {
    const world = { payments: [ours()], pages: [[row({ Status: 'Rejected' })]] };
    expect(await differences(world)).toMatchObject({
      otherStatus: [{ status: 'Processed', providerStatus: 'Rejected', providerOutcome: 'failed' }],
      flipped: [{ paymentId: '1001', status: 'Processed', flippedTo: 'Rejected' }],
      flips: ['17-qr-1001 Rejected'],
    });
  });

  it('reports a flip that was stored before, and stores that the first status has returned', async () => {
    const world = { payments: [ours({ flippedTo: 'Rejected' })], pages: [[row()]] };
    expect(await differences(world)).toEqual({
      flipped: [expect.objectContaining({ flippedTo: 'Rejected' })],
      flips: ['17-qr-1001 Processed'],
    });
  });

  it('reports an ended operation whose payment is open here', async () => {
    const { outcome, endedAt, ...open } = ours({ state: 'open', status: 'QrTokenCreated' });
    expect(await differences({ payments: [open], pages: [[row()]] })).toMatchObject({
      otherStatus: [{ state: 'open', providerStatus: 'Processed' }],
    });
  });

  it('reports no difference if a newer answer of the provider matches the payment', async () => {
    const world = { payments: [ours()], pages: [[row({ Status: 'QrTokenScanned' })]] };
    expect(await differences({ ...world, single: { 1001: row() } })).toEqual({});
  });

  it('reports refunds that are missing on either side', async () => {
    const name = { organizationId: 17, type: 'refund', paymentId: '1001' };
    const pages = [[row({ ReturnedAmount: 700 })]];
    const world = { payments: [ours()], refunds: [refund()], pages };
    expect(await differences(world)).toMatchObject({ missingHere: [{ ...name, amount: 200 }] });
    const less = { ...world, pages: [[row()]] };
    expect(await differences(less)).toMatchObject({ missingThere: [{ ...name, amount: 500 }] });
  });

  it('reports a refund in doubt, but not the matching refund of the provider', async () => {
    const intent: Intent = {
      id: '0123456789abcdef01234567',
      state: 'in_doubt',
      kind: 'refund',
      organizationId: 17,
      profileId: 1,
      sessionId: 'session',
      cashier: '77011234567',
      amount: 500,
      paymentId: '1001',
      body: '',
      key: 'key',
      createdAt: noon,
    };
    const createdAt = '2026-11-21T02:00:00.000Z';
    const pages = [[row({ ReturnedAmount: 500 })]];
    expect(await differences({ payments: [ours()], intents: [intent], pages })).toEqual({
      inDoubt: [
        { intent: intent.id, kind: 'refund', amount: 500, key: 'key', createdAt, candidates: [] },
      ],
    });
    expect(await differences({ intents: [{ ...intent, organizationId: 3 }] })).toEqual({});
  });
});

it('reconcile checks intents of the day that were closed as never made again', async () => {
  const closed = (id: string, state: Intent['state'], createdAt: number): Intent => ({
    ...{ id, state, kind: 'qr', organizationId: 17, profileId: 171, sessionId: 's' },
    ...{ cashier: '77011234567', amount: 500, body: '', key: id, createdAt, closedAt: createdAt },
  });
  const intents = [
    closed('a', 'not_made', noon),
    closed('b', 'abandoned', noon),
    closed('c', 'adopted', noon),
    closed('d', 'not_made', noon - 48 * 3_600_000),
    { ...closed('e', 'not_made', noon), organizationId: 3 },
  ];
  expect(await differences({ intents })).toEqual({ rechecked: ['a', 'b'] });
});

it.each(['15 ₸', '1e3', true, { Value: 1500 }])(
  'reconcile reports a provider’s amount of %j as a different amount',
  async (Amount) => {
    const found = await differences({ payments: [ours()], pages: [[row({ Amount })]] });
    expect(found).toMatchObject({ otherAmount: [{ paymentId: '1001' }] });
  },
);

describe('the provider’s statement', () => {
  it('is read page by page, with an additional day before and after', async () => {
    const pages = [
      [row({ Id: 3, TransactionDate: '2026-11-22T01:00:00' })],
      [row({ Id: 2, TransactionDate: '2026-11-21T01:00:00' })],
      [row({ Id: 1, TransactionDate: '2026-11-20T00:30:00' })],
    ];
    const { periods, ...found } = await reconcile({ pages });
    expect(found).toMatchObject({ missingHere: [{ paymentId: '2' }] });
    expect(periods).toEqual([
      { endDate: '2026-11-22', statementPeriodCode: 0 },
      ...['2026-11-22T01:00:00', '2026-11-21T01:00:00'].map((lastTransactionDate) => ({
        endDate: '2026-11-22',
        lastTransactionDate,
        statementPeriodCode: 0,
      })),
    ]);
  });

  it('is not read further if it repeats itself, and its rows are counted once', async () => {
    const pages = [[row({ Id: 2 })], [row({ Id: 2 })], [row({ Id: 2 })]];
    const { periods, ...found } = await reconcile({ pages });
    expect(found).toEqual({ missingHere: [expect.objectContaining({ paymentId: '2' })] });
    expect(periods).toHaveLength(2);
  });
});

it('reconcile sends no more requests after its caller aborts', async () => {
  const leaving = new AbortController();
  const requestedIds: string[] = [];
  const onAsked = (id: string) => {
    requestedIds.push(id);
    leaving.abort('closed');
  };
  const payments = Array.from({ length: 100 }, (_, n) => ours({ id: String(n + 1) }));
  const compared = reconcile({ payments, onAsked }, '2026-11-21', leaving);
  await expect(compared).rejects.toBe('closed');
  expect(requestedIds).toHaveLength(1);
});
