import { randomUUID } from 'node:crypto';
import type { RefundOrder } from '../../src/payments/client/gateway-client.js';
import { formatMoment } from '../../src/terminal/formats.js';
import type { CashierContext } from './pay-context.js';

/** The key that a refund is made under, and what is to be said where it is not a fresh one. */
export interface RefundKey {
  readonly key: string;
  readonly note?: string;
}

/**
 * One key over the tries of a refund: that of a refund of the same payment and amount which is in doubt, or was until
 * lately and has turned out to be made. Under it the money is returned once, however often it is asked for.
 */
export async function refundKey(pay: CashierContext, order: RefundOrder): Promise<RefundKey> {
  const { input, cashier, gateway } = pay;
  const before = input.options.new === true ? undefined : await cashier.earlierRefund(order);
  if (!before) return { key: randomUUID() };
  const { key, state, createdAt } = before;
  const since = formatMoment(Date.parse(createdAt), await gateway.zone());
  const note =
    state === 'in_doubt'
      ? `A refund of this payment and amount is in doubt since ${since}: its key is used again, so that the money is returned once. --new makes another one.`
      : `The refund of this payment and amount of ${since} was in doubt and has turned out to be made: nothing is returned again. --new returns the amount once more.`;
  return { key, note };
}
