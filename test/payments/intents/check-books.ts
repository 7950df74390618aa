import { intentIdOf, requestName } from '../../../src/payments/intents/intent.js';
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

/**
 * What is wrong between the bank's book and ours, as sentences; none where money is never in the dark. `isOver`:
 * everything that can become clear has had the time for it.
 */
export async function findFaults(
  { bank, capabilities, events: announced }: World,
  money: MoneyUnderTest,
  { isOver = true } = {},
): Promise<string[]> {
  const faults: string[] = [];
  const fault = (text: string) => void faults.push(text);
  const payments = await money.payments();
  const refunds = await collect(money.refunds.list());
  const doubts = await collect(money.intents.list('in_doubt'));
  const lines = await money.lines();

  /** A bank may give two operations one id. */
  const intentsOf = (...name: [string, number, string]) =>
    bank.book
      .filter((each) => [each.kind, each.organizationId, each.id].join() === name.join())
      .map(intentOf);

  const seen = new Map<string, Operation>();
  for (const made of bank.book) {
    const { kind, organizationId, id, key, amount } = made;
    const what = `${kind} ${id} of ${organizationId} under ${key}`;
    const name = intentOf(made);
    const before = seen.get(name);
    if (before) fault(`${what} was made twice: ${before.id}.`);
    seen.set(name, made);
    const isDoubted = doubts.some((doubt) => doubt.id === name);
    const isStored =
      kind === 'refund'
        ? refunds.some((each) => each.intentId === name && each.outcome === 'success')
        : payments.some((each) => each.type === kind && each.id === id && each.intentId === name);
    if (!isStored && !isDoubted) fault(`${what} over ${amount} is in the dark.`);
    const told = lines.filter(
      (line) => line.outcome === 'success' && line.ids.intent === name && line.kind !== 'adopt',
    );
    const settled = told.filter((line) => line.kind === 'settled');
    // A repeat that an idempotent bank is asked for is an act of its own.
    const isRight = told.length === 1 || (capabilities.idempotent && told.length > 1);
    if (isOver && !isDoubted && (!isRight || settled.length > 1)) {
      fault(`${what} has ${told.length} lines of success: ${JSON.stringify(told)}`);
    }
  }

  for (const { type: kind, organizationId, id, intentId, state, status, outcome } of payments) {
    const made = bank.find(kind, organizationId, id);
    const what = `The payment ${kind} ${id} of ${organizationId}`;
    if (!made) fault(`${what} was never made.`);
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
