import type { PaymentStore, RefundStore } from '../store.js';
import { createDayReport, type DayReport } from './day-report.js';
import { spanOf } from './days.js';

interface DayStores {
  readonly listEnded: PaymentStore['listEnded'];
  readonly refunds: Pick<RefundStore, 'list'>;
}

export interface DayOfReport {
  /** `YYYY-MM-DD` by the clocks of `zone`. */
  readonly day: string;
  /** IANA zone. */
  readonly zone: string;
  /** Of this organization only; of all where it is absent. */
  readonly organizationId?: number | undefined;
  /** Ends the reading; it throws the signal's reason then. */
  readonly signal?: AbortSignal | undefined;
}

/** Adds up a day from what is stored. */
export async function addUpDay(
  { listEnded, refunds }: DayStores,
  { day, zone, organizationId, signal }: DayOfReport,
): Promise<DayReport> {
  const report = createDayReport(day, zone);
  const isMeant = (each: { readonly organizationId: number }) => {
    signal?.throwIfAborted();
    return organizationId === undefined || each.organizationId === organizationId;
  };
  for await (const payment of listEnded(spanOf(day, zone))) {
    if (isMeant(payment)) report.addPayment(payment);
  }
  for await (const refund of refunds.list()) if (isMeant(refund)) report.addRefund(refund);
  return report.result();
}
