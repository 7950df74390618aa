import fc from 'fast-check';
import { clockTolerance } from '../../../src/payments/intents/candidates.js';
import { type Deed, readableAmounts } from './money-bank.js';

/** Unreadable amounts that a bank can send. */
const unreadable = ['1e2', '-100', '+200', 'one hundred', '100,000', true, [100], { Value: 100 }];

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
  fc.record({ makesLateBy: fc.constantFrom(15_000, 45_000) }),
  fc.record({ refusesLateBy: fc.constantFrom(15_000, 65_000) }),
  fc.record({ queuedFor: fc.constantFrom(150_000, 600_000, 2_000_000) }),
  fc.record({ makes: fc.constant(777) }),
  fc.record({ writes: fc.constantFrom<unknown>(...unreadable, ...readableAmounts.keys()) }),
  fc.record({ currency: fc.constant('KGS') }),
);

/** The bank's behaviour for refunds, with more answers that contradict the request. */
const refundDeed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 3, arbitrary: deed },
  fc.constantFrom<Deed>('repeats an id', 'repeats an id', { makes: 777 }, { writes: '15 ₸' }),
);

const kind = fc.constantFrom('qr' as const, 'qr' as const, 'invoice' as const);
const organizationId = fc.constantFrom(1, 1, 2);
const at = fc.constantFrom(0, 1);

/** The two senders of a refund request. `both` is a client and a command, at one or two terminals. */
const returners = ['clients', 'commands', 'both', 'both at one'] as const;

/** An action of a client, a person, a bank or a machine. */
export const step = fc.oneof(
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
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('refund' as const),
      ...{ at, deed: refundDeed },
      of: fc.nat(2),
      amount: fc.constantFrom(10, 60, 60),
      key: fc.constantFrom('', 'a', 'b'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('refund by command' as const),
      ...{ at, deed: refundDeed },
      of: fc.nat(1),
      amount: fc.constantFrom(10, 60, 60),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('twins' as const),
      kind,
      amount: fc.constantFrom(100, 200),
      secondDies: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('refund twice' as const),
      of: fc.nat(2),
      deed: fc.constantFrom<Deed>({ lateBy: 5_000 }, { lateBy: 65_000 }, 'breaks after'),
      by: fc.constantFrom(...returners),
      /** Time after which the first request is settled, before the second, in milliseconds. 0 for never. */
      resolvedAfter: fc.constantFrom(0, 0, 80_000),
      at,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('repeat' as const),
      ...{ at, deed },
      /** Counted from the newest request. */
      of: fc.constantFrom(0, 0, 0, 1, 2, 5, 10, 20),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('ask again' as const),
      ...{ kind, organizationId },
      amount: fc.constantFrom(100, 200),
      deed: fc.constantFrom<Deed>('breaks after', 'breaks before'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('follow' as const),
      at,
      of: fc.nat(5),
      milliseconds: fc.constantFrom(1_000, 7_000, 70_000),
      how: fc.constantFrom('ends' as const, 'stands still' as const),
      status: fc.constantFrom('QrTokenCreated', 'Wait', 'Processed', 'Expired'),
    }),
  },
  fc.record({
    do: fc.constant('wait' as const),
    milliseconds: fc.constantFrom(1_000, 11_000, 31_000, 61_000, 1_000_000, 1_900_000),
  }),
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('step' as const),
      hours: fc.constantFrom(-5, -1, 1, 5, 25, 24 * 30, 24 * 730),
      isBetweenRuns: fc.boolean(),
      next: fc.constantFrom('nothing' as const, 'clean up' as const, 'repeat' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('round' as const), at }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('crash' as const), at, steps: fc.nat(40) }) },
  fc.record({ do: fc.constant('decide' as const) }),
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('decide early' as const),
      kind: fc.constantFrom('qr' as const, 'invoice' as const, 'refund' as const),
      deed: fc.constantFrom<Deed>(
        { makesLateBy: 45_000 },
        { lateBy: 65_000 },
        { refusesLateBy: 65_000 },
      ),
      milliseconds: fc.constantFrom(11_000, 31_000, 80_000),
      of: fc.nat(2),
      at,
    }),
  },
  fc.record({
    do: fc.constant('jump' as const),
    isBetweenRuns: fc.boolean(),
    /** Time until old records are removed, in hours. */
    isLater: fc.boolean(),
  }),
  fc.record({
    do: fc.constant('pay' as const),
    status: fc.constantFrom('Processed', 'Rejected', 'Expired'),
  }),
  fc.record({ do: fc.constant('pay late' as const) }),
  fc.record({ do: fc.constant('clean up' as const), at }),
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
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
/** A request without its client and key. */
export type Request = { readonly amount: number; readonly deed: Deed } & (
  | { readonly do: 'create'; readonly kind: 'qr' | 'invoice'; readonly organizationId: number }
  | { readonly do: 'refund' }
);

/** The capabilities and the clock of the bank. */
export const setup = fc.record({
  idempotent: fc.boolean(),
  lookup: fc.boolean(),
  hasKeysInHistory: fc.boolean(),
  hasLongIds: fc.boolean(),
  hasTwoIds: fc.boolean(),
  sandbox: fc.boolean(),
  skew: fc.constantFrom(0, -clockTolerance + 60_000, clockTolerance - 60_000),
});
export type Setup = typeof setup extends fc.Arbitrary<infer T> ? T : never;
