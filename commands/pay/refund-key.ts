import { randomUUID } from 'node:crypto';
import type { Intent } from '#validators/payment-records';
import { toTiyns } from '../../src/payments/amount.js';
import { keptFor } from '../../src/payments/store.js';
import { formatMoment } from '../../src/terminal/formats.js';
import type { CashierContext } from './pay-context.js';

export interface WantedRefund {
  /** The operation's id. */
  readonly id: string;
  /** Tenge. */
  readonly amount: number;
}

/** The key that a refund is made under, and what is to be said where it is not a fresh one. */
export interface RefundKey {
  readonly key: string;
  readonly note?: string;
}

/**
 * One key over the tries of a refund: that of a refund of the same payment and amount which is in doubt, or was until
 * lately and has turned out to be made. Under it the money is returned once, however often it is asked for.
 */
export async function refundKey(pay: CashierContext, wanted: WantedRefund): Promise<RefundKey> {
  const { context, input, payments, zone } = pay;
  // What an interrupted command has left behind counts, too.
  await payments.resolver.recover();
  const before = input.options.new === true ? undefined : await findBefore(pay, wanted);
  if (!before || isOver(before, context.clock.now())) return { key: randomUUID() };
  const { key, state, createdAt } = before;
  const since = formatMoment(createdAt, zone);
  const note =
    state === 'in_doubt'
      ? `A refund of this payment and amount is in doubt since ${since}: its key is used again, so that the money is returned once. --new makes another one.`
      : `The refund of this payment and amount of ${since} was in doubt and has turned out to be made: nothing is returned again. --new returns the amount once more.`;
  return { key, note };
}

/** The latest one of the same payment and amount; one in doubt before all others. */
async function findBefore(
  { payments, cashier }: CashierContext,
  { id, amount }: WantedRefund,
): Promise<Intent | undefined> {
  for (const state of ['in_doubt', 'adopted'] as const) {
    let latest: Intent | undefined;
    for await (const intent of payments.intents.list(state)) {
      const isSame =
        intent.kind === 'refund' &&
        intent.organizationId === cashier.session.organizationId &&
        intent.paymentId === id &&
        toTiyns(intent.amount) === toTiyns(amount);
      if (isSame && intent.createdAt >= (latest?.createdAt ?? 0)) latest = intent;
    }
    if (latest) return latest;
  }
  return undefined;
}

/** Whether the key of a refund that was made stands for it no longer. */
function isOver({ state, closedAt }: Intent, now: number): boolean {
  return state === 'adopted' && now - (closedAt ?? now) >= keptFor;
}
