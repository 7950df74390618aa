import { hash } from 'node:crypto';
import { toTiyns } from '../amount.js';
import type { PaymentRecords, RefundKey, RefundOrder } from './gateway-client.js';

/** The most refunds of one payment, and requests to refund it, that are searched for a refund's key. */
const mostRefunds = 1_000;

/**
 * Returns the key for a refund: the key of a refund of the same operation and amount that is under way, in doubt, or
 * was recently in doubt and was made; otherwise a key that everybody who requests this refund from the same deployment
 * (`instance`) now derives. Under it, the money is returned only once.
 */
export async function findRefundKey(
  records: Pick<PaymentRecords, 'intents' | 'refunds'>,
  order: RefundOrder,
  instance: string | undefined,
): Promise<RefundKey> {
  const paymentId = String(order.qrOperationId);
  const amount = toTiyns(order.returnAmount);
  const isSame = (each: { readonly paymentId: string | null; readonly amount: number }) =>
    each.paymentId === paymentId && toTiyns(each.amount) === amount;
  // Counted first: a refund that is made meanwhile is the requested one, and has this key.
  const { rows } = await records.refunds({ only: 'ended', paymentId, limit: mostRefunds });
  const made = rows.filter((row) => row.outcome === 'success' && isSame(row)).length;
  // In the order of a refund's states, so that one that changes state meanwhile is not missed.
  for (const state of ['running', 'in_doubt', 'adopted'] as const) {
    const query = { state, kinds: ['refund'], paymentId, limit: mostRefunds } as const;
    const earlier = (await records.intents(query)).rows.find(isSame);
    // The key of one that was made may have expired.
    if (earlier && earlier.keyTaken !== false) return { key: earlier.key, earlier };
  }
  const deployment = instance === undefined ? [] : [instance];
  return { key: nameBasedKey([...deployment, paymentId, amount, made]), earlier: undefined };
}

/** Returns a UUID derived from a name (version 8 of RFC 9562). */
function nameBasedKey(name: readonly unknown[]): string {
  const digits = hash('sha256', JSON.stringify(['refund', ...name]));
  const [a, b, c, d, e] = [
    [0, 8],
    [8, 12],
    [13, 16],
    [17, 20],
    [20, 32],
  ].map(([from, to]) => digits.slice(from, to));
  return `${a}-${b}-8${c}-a${d}-${e}`;
}
