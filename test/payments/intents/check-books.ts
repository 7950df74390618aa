import { intentIdOf, requestName } from '../../../src/payments/intents/intent.js';
import { amountIn } from '../../../src/payments/providers/answer-values.js';
import { collect } from '../payments-under-test.js';
import type { Operation } from './money-bank.js';
import type { MoneyUnderTest, World } from './money-under-test.js';

/** The name of the intent under which an operation was made. */
export function intentOf({
  kind,
  organizationId,
  key,
}: Pick<Operation, 'kind' | 'organizationId' | 'key'>): string {
  return intentIdOf(requestName({ organizationId, endpoint: `${kind}/create`, key }));
}

const events: Readonly<Record<string, string>> = {
  Processed: 'payment.success',
  Rejected: 'payment.failed',
  RemotePaymentRejected: 'payment.failed',
};

const sorted = (texts: Iterable<string>) => [...texts].sort();

interface CheckOptions {
  /** Everything that can become clear has had the time for it. */
  readonly isOver?: boolean;
  /** Names of intents whose key was free again although something was made under it. */
  readonly mayRepeat?: ReadonlySet<string>;
}

/**
 * Operations of ours that no list shows at this moment: neither stored, nor in doubt, nor under way, nor given up on. Holds
 * also while requests are under way.
 */
export async function findUnlisted({ bank }: World, money: MoneyUnderTest): Promise<string[]> {
  const listed = new Set((await money.audit.pending()).map(({ id }) => id));
  for (const state of ['in_doubt', 'adopted', 'not_made', 'abandoned'] as const) {
    for (const { id } of await collect(money.intents.list(state))) listed.add(id);
  }
  for (const { intentId } of await money.payments()) listed.add(intentId ?? '');
  for (const { intentId } of await collect(money.refunds.list())) listed.add(intentId);
  return bank.book
    .filter((each) => !each.isForeign && !listed.has(intentOf(each)))
    .map(({ kind, id, key }) => `${kind} ${id} under ${key} is in no list.`);
}

/**
 * What is wrong between the bank's book and ours, as sentences; none where money is never in the dark.
 */
export async function findFaults(
  { bank, capabilities, events: announced }: World,
  money: MoneyUnderTest,
  { isOver = true, mayRepeat = new Set<string>() }: CheckOptions = {},
): Promise<string[]> {
  const faults: string[] = [];
  const fault = (text: string) => void faults.push(text);
  const payments = await money.payments();
  const refunds = await collect(money.refunds.list());
  const doubts = await collect(money.intents.list('in_doubt'));
  const abandoned = await collect(money.intents.list('abandoned'));
  const lines = await money.lines();

  const ours = bank.book.filter(({ isForeign }) => !isForeign);
  /** A bank may give two operations one id. */
  const intentsOf = (...name: [string, number, string]) =>
    ours
      .filter((each) => [each.kind, each.organizationId, each.id].join() === name.join())
      .map(intentOf);

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
      fault(`${what} over ${amount} is in the dark.`);
    const told = lines.filter(
      (line) => line.outcome === 'success' && line.ids.intent === name && line.kind !== 'adopt',
    );
    const settled = told.filter((line) => line.kind === 'settled');
    // A repeat that an idempotent bank is asked for is an act of its own.
    const isRight = told.length === 1 || (capabilities.idempotent && told.length > 1);
    if (isOver && !isDoubted && !mayRepeat.has(name) && (!isRight || settled.length > 1)) {
      fault(`${what} has ${told.length} lines of success: ${JSON.stringify(told)}`);
    }
  }

  for (const payment of payments) {
    const { type: kind, organizationId, id, intentId, amount, state, status, outcome } = payment;
    const made = bank.find(kind, organizationId, id);
    const what = `The payment ${kind} ${id} of ${organizationId}`;
    if (!made) fault(`${what} was never made.`);
    else if (made.isForeign) fault(`${what} is a stranger's.`);
    else if (!intentsOf(kind, organizationId, id).includes(intentId ?? '')) {
      fault(`${what} was made by another intent.`);
    }
    const event = events[made?.status ?? ''];
    const given = [...announced.keys()].filter((name) =>
      name.startsWith(`${organizationId}-${kind}-${id}-`),
    );
    const wanted = state === 'ended' && event ? [`${organizationId}-${kind}-${id}-${event}`] : [];
    if (given.join() !== wanted.join()) fault(`${what}: ${given} was announced, not ${wanted}.`);
    if (isOver && event && state === 'open') fault(`${what} is ${made?.status} and not watched.`);
    if (state === 'ended' && (made?.status !== status || !outcome)) fault(`${what} is ${status}.`);
    const said = made && amountIn(made.shown).amount;
    if (outcome === 'success' && said !== amount) fault(`${what} was paid with ${said}.`);
  }

  for (const { intentId, outcome, id, paymentId } of refunds) {
    const made = seen.get(intentId);
    if (outcome === 'success' && !made) fault(`The refund ${id} of ${paymentId} was never made.`);
    if (outcome === 'failed' && made) fault(`The refund ${id} of ${paymentId} was made.`);
  }

  const names = lines.map(({ id }) => id);
  if (new Set(names).size !== names.length) fault(`Lines are doubled: ${sorted(names)}`);
  for (const { key } of bank.asked) {
    const asked = bank.asked.filter((each) => each.key === key).length;
    const kinds = ['qr', 'invoice', 'refund'];
    const ids = ['qr', 'invoice', 'refund'].flatMap((kind) =>
      [1, 2].map((organizationId) => intentOf({ kind: kind as 'qr', organizationId, key })),
    );
    const acts = lines.filter(
      (line) => kinds.includes(line.kind) && ids.includes(line.ids.intent ?? ''),
    );
    if (isOver && acts.length < asked) {
      fault(`The key ${key} was sent ${asked} times, and written down ${acts.length} times.`);
    }
  }
  return faults;
}
