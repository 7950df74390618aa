import type { Refund } from '#validators/payment-records';
import { intentIdOf, requestName } from '../../../src/payments/intents/intent.js';
import { paymentKey } from '../../../src/payments/payment.js';
import { pageIntents, pageRefunds } from '../../../src/payments/record-pages.js';
import { collect } from '../payments-under-test.js';
import { type Operation, tengeIn } from './money-bank.js';
import type { MoneyUnderTest, World } from './money-under-test.js';

/** Returns the ID of an operation's intent. */
export function intentOf({
  kind,
  organizationId,
  key,
}: Pick<Operation, 'kind' | 'organizationId' | 'key'>): string {
  return intentIdOf(requestName({ organizationId, kind, key }));
}

const events: Readonly<Record<string, string>> = {
  Processed: 'payment.success',
  Rejected: 'payment.failed',
  RemotePaymentRejected: 'payment.failed',
  Expired: 'payment.expired',
};

const sorted = (texts: Iterable<string>) => [...texts].sort();

interface CheckOptions {
  /** True if there was enough time to settle all doubts that can be settled. */
  readonly isOver?: boolean;
  /** IDs of intents whose key became free although an operation was made with it. */
  readonly mayRepeat?: ReadonlySet<string>;
  /** IDs of intents that the bank executed after they were closed. They are found later, and may have been repeated. */
  readonly madeTooLate?: ReadonlySet<string>;
}

const all = { limit: 10_000 };
const kinds = ['qr', 'invoice', 'refund'] as const;

/**
 * Returns our operations that are in no list of the commands, neither as stored nor as in doubt, in progress or
 * abandoned. There must never be such an operation, even while requests are in progress or after a process has died.
 */
export async function findUnlisted({ bank }: World, money: MoneyUnderTest): Promise<string[]> {
  const listed = new Set<string>();
  for (const state of ['running', 'in_doubt', 'adopted'] as const) {
    const { rows } = await pageIntents(money, { state, ...all });
    for (const { intent } of rows) listed.add(intent);
  }
  for (const state of ['not_made', 'abandoned'] as const) {
    for (const { id } of await collect(money.intents.list(state))) listed.add(id);
  }
  for (const { intentId } of await money.payments()) listed.add(intentId ?? '');
  const returned = await pageRefunds(money, all);
  const ids = new Set(returned.rows.map(({ id }) => id));
  const doubted = new Set((await collect(money.intents.list('in_doubt'))).map(({ id }) => id));
  const mistaken = returned.rows.filter(
    ({ id, outcome }) => outcome === 'failed' && doubted.has(id),
  );
  for (const { id, intentId } of await collect(money.refunds.list())) {
    if (ids.has(id)) listed.add(intentId);
  }
  const unlisted = bank.book.filter((each) => !each.isForeign && !listed.has(intentOf(each)));
  return [
    ...unlisted.map(({ kind, id, key }) => `${kind} ${id} under ${key} is not listed.`),
    ...mistaken.map(({ id }) => `The refund ${id} is in doubt, and listed as failed.`),
  ];
}

/** Compares our records with the bank's. Returns the differences as sentences. */
export async function findFaults(
  { bank, capabilities, events: announced, followed, provesRefunds }: World,
  money: MoneyUnderTest,
  { isOver = true, mayRepeat: freed = new Set(), madeTooLate = new Set() }: CheckOptions = {},
): Promise<string[]> {
  const faults: string[] = [];
  const fault = (text: string) => void faults.push(text);
  const payments = await money.payments();
  const refunds = await collect(money.refunds.list());
  const doubts = await collect(money.intents.list('in_doubt'));
  const abandoned = await collect(money.intents.list('abandoned'));
  const lines = await money.lines();

  const ours = bank.book.filter(({ isForeign }) => !isForeign);
  /** Returns the intents of an operation. There can be several, because a bank can assign one ID to two operations. */
  const intentsOf = (...name: [string, number, string]) =>
    ours
      .filter((each) => [each.kind, each.organizationId, each.id].join() === name.join())
      .map(intentOf);

  const timesAsked = (key: string) => bank.asked.filter((each) => each.key === key).length;
  const mayRepeat = new Set(freed);
  for (const made of ours) {
    const name = intentOf(made);
    if (madeTooLate.has(name) && timesAsked(made.key) > 1) mayRepeat.add(name);
  }

  const seen = new Map<string, Operation>();
  for (const made of ours) {
    const { kind, organizationId, id, key, amount } = made;
    const what = `${kind} ${id} of ${organizationId} under ${key}`;
    const name = intentOf(made);
    const before = seen.get(name);
    if (before && !mayRepeat.has(name)) fault(`${what} was made twice: ${before.id}.`);
    seen.set(name, made);
    const isDoubted = [...doubts, ...abandoned].some((doubt) => doubt.id === name);
    const isStored =
      kind === 'refund'
        ? refunds.some((each) => each.intentId === name && each.outcome === 'success')
        : payments.some((each) => each.type === kind && each.id === id && each.intentId === name);
    if (!isStored && !isDoubted && !mayRepeat.has(name))
      fault(`${what} over ${amount} is not recorded.`);
    const successes = lines.filter(
      (line) => line.outcome === 'success' && line.ids.intent === name && line.kind !== 'adopt',
    );
    const settled = successes.filter((line) => line.kind === 'settled');
    // A repeat at an idempotent bank is a separate operation, and so is a refund whose process died while it waited for
    // another process to make it.
    const mayHaveMore = capabilities.idempotent || (kind === 'refund' && settled.length === 1);
    const isRight = successes.length === 1 || (mayHaveMore && successes.length > 1);
    const maxSettled = capabilities.idempotent ? timesAsked(key) : 1;
    const isAudited = isRight && settled.length <= maxSettled;
    if (isOver && !isDoubted && !mayRepeat.has(name) && !isAudited) {
      fault(`${what} has ${successes.length} lines of success: ${JSON.stringify(successes)}`);
    }
  }

  for (const payment of payments) {
    const { type: kind, organizationId, id, intentId, amount, state, status, outcome } = payment;
    const made = bank.find(kind, organizationId, id);
    const what = `The payment ${kind} ${id} of ${organizationId}`;
    if (!made) fault(`${what} was never made.`);
    else if (made.isForeign) fault(`${what} was not made here.`);
    else if (!intentsOf(kind, organizationId, id).includes(intentId ?? '')) {
      fault(`${what} was made by another intent.`);
    }
    const isSandbox = payment.sandbox === true;
    if (isSandbox !== (capabilities.sandbox === true)) fault(`${what} is of a sandbox or not.`);
    const event = events[state === 'ended' ? status : (made?.status ?? '')];
    const given = [...announced.keys()].filter((name) =>
      name.startsWith(`${organizationId}-${kind}-${id}-`),
    );
    const expected = state === 'ended' && event ? [`${organizationId}-${kind}-${id}-${event}`] : [];
    if (given.join() !== expected.join())
      fault(`${what}: ${given} was announced, not ${expected}.`);
    if (isOver && event && state === 'open') fault(`${what} is ${made?.status} and not watched.`);
    if (announced.get(given[0] ?? '')?.some(({ sandbox = false }) => sandbox !== isSandbox)) {
      fault(`${what}: its event is of a sandbox or not.`);
    }
    const last = payment.flippedTo ?? status;
    const isKnown = isOver ? made?.status === last : true;
    if (state === 'ended' && (!isKnown || !outcome)) fault(`${what} is ${last}.`);
    const seen = followed.get(paymentKey(payment));
    if (isOver && payment.reference !== undefined && seen !== (payment.flippedOutcome ?? outcome)) {
      fault(`${what} is ${last}, but its follower was called with ${seen}.`);
    }
    const isNamed = (each: Operation) =>
      each.kind === kind && each.organizationId === organizationId && each.id === id;
    const said = bank.book.filter(isNamed).map(({ shown }) => tengeIn(shown));
    if (outcome === 'success' && !said.includes(amount)) fault(`${what} was paid with ${said}.`);
  }

  const adoptedByPeople = new Set(
    lines.flatMap(({ kind, ids }) => (kind === 'adopt' ? [ids.intent] : [])),
  );
  // The gateway compares a refund only with refunds made since the payment was created.
  const isSame = (one: Refund, other: Refund) =>
    one !== other &&
    [one, other].every(({ outcome }) => outcome === 'success') &&
    one.organizationId === other.organizationId &&
    one.id === other.id &&
    Math.abs(one.createdAt - other.createdAt) < 86_400_000;
  const shared = refunds.filter((one) => refunds.some((other) => isSame(one, other)));
  if (shared.length > 0) fault(`Refunds share an ID: ${shared.map(({ id }) => id)}`);
  for (const { intentId, outcome, id, paymentId, amount } of refunds) {
    const made = seen.get(intentId);
    const said = made && tengeIn(made.shown);
    if (outcome === 'success' && said !== undefined && said !== amount) {
      fault(`The refund ${id} of ${paymentId} counts with ${amount} and was over ${said}.`);
    }
    const isClear = ours.some(
      (each) => intentOf(each) === intentId && tengeIn(each.shown) === each.ordered,
    );
    if (outcome === 'success' && made && !isClear && !adoptedByPeople.has(intentId)) {
      fault(`The refund ${id} of ${paymentId} counts, and its answer contradicts the request.`);
    }
    if (outcome === 'success' && !made) fault(`The refund ${id} of ${paymentId} was never made.`);
    // The bank may have refused an earlier attempt.
    const isDoubted = doubts.some((doubt) => doubt.id === intentId);
    if (outcome === 'failed' && made && !isDoubted)
      fault(`The refund ${id} of ${paymentId} was made.`);
    if (made && made.paymentId !== paymentId) fault(`${paymentId} was not returned, but another.`);
  }
  for (const { id, kind, paymentId } of doubts) {
    const made = kind === 'refund' ? seen.get(id) : undefined;
    if (!made) continue;
    if (made.paymentId !== paymentId) fault(`${paymentId} was not returned, but another.`);
    const isNamedOnce =
      ours.filter((each) => each.id === made.id && each.kind === kind).length === 1;
    const isClear = tengeIn(made.shown) === made.ordered;
    if (isOver && provesRefunds && isNamedOnce && isClear)
      fault(`The refund ${id} is proven, and in doubt.`);
  }

  /** Returns the amount to compare. For a return that a person specified, it is the amount that the bank shows. */
  const countedOf = (made: Operation) => {
    const { shown, ordered } = made;
    const said = adoptedByPeople.has(intentOf(made)) ? tengeIn(shown) : undefined;
    return Math.min(said ?? ordered, ordered);
  };
  const tengeOf = (operations: readonly Operation[]) =>
    operations.reduce((sum, made) => sum + countedOf(made), 0);
  for (const { id, organizationId } of ours.filter(({ kind }) => kind === 'qr')) {
    const isOf = (each: Operation) => each.organizationId === organizationId;
    const paid = ours.filter((each) => isOf(each) && each.kind !== 'refund' && each.id === id);
    const returned = ours.filter((each) => isOf(each) && each.paymentId === id);
    const isLate = returned.some((each) => madeTooLate.has(intentOf(each)));
    const [most, sum] = [tengeOf(paid), tengeOf(returned)];
    if (sum > most && !isLate) fault(`${sum} of payment ${id} over ${most} were refunded.`);
  }

  const names = lines.map(({ id }) => id);
  if (new Set(names).size !== names.length) fault(`Lines are duplicated: ${sorted(names)}`);
  for (const { key } of bank.asked) {
    // The audit log identifies attempts by the millisecond, and calls to this bank can take no time.
    const asked = new Set(bank.asked.flatMap((each) => (each.key === key ? [each.at] : []))).size;
    const ids = kinds.flatMap((kind) =>
      [1, 2].map((organizationId) => intentOf({ kind, organizationId, key })),
    );
    const acts = lines.filter(
      (line) => kinds.some((kind) => kind === line.kind) && ids.includes(line.ids.intent ?? ''),
    );
    if (isOver && acts.length < asked) {
      fault(`The key ${key} was sent ${asked} times, but is in the audit ${acts.length} times.`);
    }
  }
  return faults;
}
