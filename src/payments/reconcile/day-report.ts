import type { CashierTakings, DayReport, Total } from '#validators/gateway';
import type { Refund } from '#validators/payment-records';
import { fromTiyns, toTiyns } from '../amount.js';
import type { Payment } from '../payment.js';
import { maskPhone } from '../phone.js';
import type { PaymentStore, RefundStore } from '../store.js';
import { lastOutcome } from '../watching/payment-rules.js';
import { isWithin, spanOf } from './days.js';

export type Takings = Omit<CashierTakings, 'organizationId' | 'cashier'>;

type Kind = 'qr' | 'invoice' | 'refund';

/** Counts, and sums in whole tiyns to avoid rounding errors. */
type Sums = Record<Kind, { count: number; tiyns: number }>;

/** Adds up the payments that were paid on a day, no matter when they were created, and the refunds made on that day. */
export function createDayReport(day: string, zone: string) {
  const span = spanOf(day, zone);
  const total = nothing();
  let corrected = 0;
  const byCashier = new Map<string, { organizationId: number; cashier: string; sums: Sums }>();

  function add(kind: Kind, of: Pick<Payment, 'organizationId' | 'amount' | 'cashier'>): void {
    const { organizationId, cashier = '' } = of;
    const name = `${organizationId} ${cashier}`;
    const entry = byCashier.get(name) ?? { organizationId, cashier, sums: nothing() };
    byCashier.set(name, entry);
    for (const sums of [total, entry.sums]) {
      sums[kind].count += 1;
      sums[kind].tiyns += toTiyns(of.amount);
    }
  }

  return {
    addPayment(payment: Payment): void {
      const { type, outcome, endedAt } = payment;
      if (endedAt === undefined || !isWithin(endedAt, span)) return;
      const last = lastOutcome(payment);
      if (last !== outcome) corrected += 1;
      if (last === 'success') add(type, payment);
    },
    addRefund(refund: Refund): void {
      if (refund.outcome === 'success' && isWithin(refund.createdAt, span)) add('refund', refund);
    },
    result(): DayReport {
      const cashiers = [...byCashier.values()]
        .sort((a, b) => a.organizationId - b.organizationId || (a.cashier < b.cashier ? -1 : 1))
        .map(({ organizationId, cashier, sums }) => {
          const masked = cashier === '' ? null : maskPhone(cashier);
          return { organizationId, cashier: masked, ...takingsOf(sums) };
        });
      return { day, zone, ...takingsOf(total), ...(corrected > 0 ? { corrected } : {}), cashiers };
    },
  };
}

function nothing(): Sums {
  return {
    qr: { count: 0, tiyns: 0 },
    invoice: { count: 0, tiyns: 0 },
    refund: { count: 0, tiyns: 0 },
  };
}

function takingsOf({ qr, invoice, refund }: Sums): Takings {
  const gross = { count: qr.count + invoice.count, tiyns: qr.tiyns + invoice.tiyns };
  return {
    qr: totalOf(qr),
    invoice: totalOf(invoice),
    refund: totalOf(refund),
    gross: totalOf(gross),
    net: fromTiyns(gross.tiyns - refund.tiyns),
  };
}

function totalOf({ count, tiyns }: { readonly count: number; readonly tiyns: number }): Total {
  return { count, sum: fromTiyns(tiyns) };
}

interface DayStores {
  readonly listEnded: PaymentStore['listEnded'];
  readonly refunds: Pick<RefundStore, 'list'>;
}

interface DayOfReport {
  /** `YYYY-MM-DD` in `zone`. */
  readonly day: string;
  /** IANA zone. */
  readonly zone: string;
  /** All organizations by default. */
  readonly organizationId?: number | undefined;
  /** Stops reading when it aborts. The call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Adds up a day from the stored records. */
export async function addUpDay(
  { listEnded, refunds }: DayStores,
  { day, zone, organizationId, signal }: DayOfReport,
): Promise<DayReport> {
  const report = createDayReport(day, zone);
  const isIncluded = (each: { readonly organizationId: number }) => {
    signal?.throwIfAborted();
    return organizationId === undefined || each.organizationId === organizationId;
  };
  for await (const payment of listEnded(spanOf(day, zone))) {
    if (isIncluded(payment)) report.addPayment(payment);
  }
  for await (const refund of refunds.list()) if (isIncluded(refund)) report.addRefund(refund);
  return report.result();
}
