import { toTiyns } from '../amount.js';
import type { IntentRow } from '../payment-view.js';
import { keptFor } from '../store.js';
import type { PaymentRecords, RefundOrder } from './gateway-client.js';

/** Intents of one payment that are looked at: more than anybody leaves behind. */
const mostIntents = 100;

/**
 * The refund of the same operation and amount that is in doubt, else the one that was lately and has turned out to be
 * made; undefined where there is none. Under its key the money is returned once, however often it is asked for.
 */
export async function findEarlierRefund(
  records: Pick<PaymentRecords, 'intents'>,
  { qrOperationId, returnAmount }: RefundOrder,
  now: number,
): Promise<IntentRow | undefined> {
  for (const state of ['in_doubt', 'adopted'] as const) {
    const { rows } = await records.intents({
      state,
      kinds: ['refund'],
      paymentId: String(qrOperationId),
      limit: mostIntents,
    });
    const latest = rows.find(({ amount }) => toTiyns(amount) === toTiyns(returnAmount));
    if (latest) return isOver(latest, now) ? undefined : latest;
  }
  return undefined;
}

/** Whether the key of a refund that was made stands for it no longer; gateways of older versions do not say so. */
function isOver({ state, closedAt, keyTaken }: IntentRow, now: number): boolean {
  if (keyTaken !== undefined) return !keyTaken;
  return state === 'adopted' && closedAt !== null && now - Date.parse(closedAt) >= keptFor;
}
