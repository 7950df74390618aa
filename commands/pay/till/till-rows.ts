import { fromTiyns, toTiyns } from '../../../src/payments/amount.js';
import type { PaymentRow } from '../../../src/payments/client/gateway-client.js';
import type { OperationRow } from '../../../src/payments/providers/operation-rows.js';
import type { DayReport } from '../../../src/payments/reconcile/day-report.js';
import { knownMeaning } from '../../../src/payments/watching/payment-rules.js';
import type {
  DayTotals,
  PastOperation,
  Returnable,
  TillPayment,
} from '../../../src/terminal/till/till-types.js';
import { toRow } from '../operation-rows.js';
import { cardOf, type PaymentExtras, resultKindOf } from '../payment-view.js';

/** Characters of a name or a status that the till keeps. */
const longestText = 100;

/** A stored payment as the till knows it; a provider's words are bounded. */
export function tillPayment(row: PaymentRow, extras: PaymentExtras = {}): TillPayment {
  const card = cardOf(row, {
    orgName: extras.orgName,
    clientName: extras.clientName?.slice(0, longestText),
  });
  return {
    key: `${row.organizationId}-${row.type}-${row.paymentId}`,
    type: row.type,
    organizationId: row.organizationId,
    card,
    status: row.status.slice(0, longestText),
    statusDesc: row.statusDesc.slice(0, longestText),
    isOpen: row.state === 'open',
    kind: resultKindOf(row),
    endedAt: row.endedAt === null ? undefined : Date.parse(row.endedAt),
  };
}

/** The operation with what can still be returned of it; undefined where that is nothing. */
export function returnableOf(row: OperationRow): Returnable | undefined {
  const { id, amount, returned, status } = row;
  const isPaid = knownMeaning(row.type ?? 'qr', status ?? '') === 'success';
  if (!isPaid || amount === null || id === null || !/^\d{1,30}$/.test(id)) return undefined;
  const left = fromTiyns(toTiyns(amount) - toTiyns(returned ?? 0));
  if (left <= 0) return undefined;
  const { date, client, phone } = toRow(row);
  return {
    id,
    when: date.slice(0, 16),
    client: (client || phone).slice(0, longestText),
    amount,
    left,
  };
}

export function pastOperation(row: OperationRow): PastOperation {
  const { id, date, amount, status, client, phone } = toRow(row);
  const short = (text: string) => text.slice(0, longestText);
  return {
    id: short(id),
    when: date.slice(0, 16),
    amount,
    status: short(status),
    client: short(client || phone),
  };
}

export function dayTotals({ day, gross, refund, net }: DayReport): DayTotals {
  return { day, gross, returned: refund, net };
}
