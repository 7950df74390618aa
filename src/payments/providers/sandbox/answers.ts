import { fromTiyns, toTiyns } from '../../amount.js';
import { formatProviderTime } from '../../zoned-time.js';
import { type ProviderAnswer, ProviderError, type ProviderErrorKind } from '../provider.js';
import type { SandboxOperation, SandboxRefund } from './operation.js';
import { createdStatus, statusAt } from './operation.js';
import { clientName } from './people.js';

/** A domain name reserved for examples (RFC 2606), so that no link leads to a real site. */
const site = 'https://pay.example';

const descriptions: Readonly<Record<string, string>> = {
  QrTokenCreated: 'Waiting for the QR code to be scanned',
  QrTokenScanned: 'The customer has scanned the code and is confirming',
  RemotePaymentCreated: 'Waiting for the customer to pay the invoice',
  ManualReview: 'The bank is reviewing the payment',
  Processed: 'Paid',
  CancelledByUser: 'The customer cancelled the payment',
  Rejected: 'The bank rejected the payment',
  Error: 'The payment failed with an error',
  QrTokenDiscarded: 'The QR code was replaced by a new one',
  Expired: 'The time to pay has run out',
  RemotePaymentCanceled: 'The invoice was cancelled',
  RemotePaymentRejected: 'The customer rejected the invoice',
};

/** Returns the envelope of a successful answer. */
export function done(data: unknown): ProviderAnswer {
  return { StatusCode: 0, Message: null, Data: data };
}

/** Returns the envelope of a refusal. `code` is positive and becomes a negative StatusCode. */
export function refusal(code: number, message: string, more: object = {}): ProviderAnswer {
  return { StatusCode: -code, Message: message, Data: null, ...more };
}

/** Returns a refusal as an error with the bank's answer. */
export function refuse(
  kind: ProviderErrorKind,
  code: number,
  message: string,
  more: object = {},
): ProviderError {
  return new ProviderError(kind, message, { answer: refusal(code, message, more) });
}

export type Answers = ReturnType<typeof createAnswers>;

/**
 * Creates the bank's answers from records, with times in the provider's zone. With `showsKeys`, lists of operations and
 * refunds contain their idempotency keys.
 */
export function createAnswers(zone: string, showsKeys: () => boolean) {
  const time = (instant: number) => formatProviderTime(instant, zone);
  const keyOf = (key: string | undefined) =>
    key !== undefined && showsKeys() ? { IdempotencyKey: key } : {};

  function common(operation: SandboxOperation, status: string) {
    return {
      Id: operation.id,
      Status: status,
      StatusDesc: descriptions[status] ?? status,
      Amount: operation.amount,
      ReturnedAmount: returned(operation),
      AvailableReturnAmount: available(operation, status),
      CreatedDate: time(operation.createdAt),
      ExpireDate: time(operation.expiresAt),
      ReceiptUrl: `${site}/receipt/${operation.token}`,
      OrderNumber: operation.orderNumber,
      ProfileId: operation.profileId,
    };
  }

  function specific(operation: SandboxOperation) {
    const { kind, clientPhone, comment, id, token } = operation;
    if (kind === 'qr') return { QrOperationId: id, QrToken: `${site}/qr/${token}` };
    return {
      QrOperationId: id,
      ClientMobile: clientPhone ?? '',
      ClientName: clientName(clientPhone ?? ''),
      Comment: comment ?? '',
    };
  }

  const shown = (operation: SandboxOperation, status: string) => ({
    ...common(operation, status),
    ...specific(operation),
  });

  return {
    /** The answer to a creation always contains the first status, regardless of the sandbox's speed. */
    created(operation: SandboxOperation): ProviderAnswer {
      return done(shown(operation, createdStatus[operation.kind]));
    },
    status(operation: SandboxOperation, now: number): ProviderAnswer {
      return done(shown(operation, statusAt(operation, now)));
    },
    /** `operations` are invoices, newest first. */
    invoices(operations: readonly SandboxOperation[], now: number): ProviderAnswer {
      const Invoices = operations.map((operation) => shown(operation, statusAt(operation, now)));
      return done({ Invoices, Total: Invoices.length });
    },
    details(operation: SandboxOperation, now: number): ProviderAnswer {
      return done({ ...row(operation, now), ...specific(operation) });
    },
    /** Contains the rows in one list, and again grouped by day. */
    history(operations: readonly SandboxOperation[], now: number, more: boolean): ProviderAnswer {
      const Operations = operations.map((operation) => row(operation, now));
      return done({
        Operations,
        DailySets: dailySets(Operations),
        Statistic: statisticOf(Operations),
        HasMore: more,
      });
    },
    /** Describes the state directly after the refund, so that a repeated key always receives the same answer. */
    refunded(operation: SandboxOperation, refund: SandboxRefund): ProviderAnswer {
      const refunds = operation.refunds.filter(({ id }) => id <= refund.id);
      const then = { ...operation, refunds };
      const left = fromTiyns(leftToReturn(then));
      return done({
        ...refundLine(refund, time),
        Amount: refund.amount,
        QrOperationId: operation.id,
        Status: 'Processed',
        StatusDesc: 'Returned to the customer',
        ReturnedAmount: returned(then),
        AvailableAmount: left,
        AvailableReturnAmount: left,
        ReceiptUrl: `${site}/receipt/${operation.token}/refund/${refund.id}`,
        OrderNumber: operation.orderNumber,
      });
    },
  };

  function row(operation: SandboxOperation, now: number) {
    return {
      ...common(operation, statusAt(operation, now)),
      OperationMethod: operation.kind === 'qr' ? 0 : 1,
      OperationType: operation.kind === 'qr' ? 'Qr' : 'Invoice',
      QrOperationId: operation.id,
      TransactionDate: time(operation.createdAt),
      ...keyOf(operation.key),
      Returns: operation.refunds.map((refund) => ({
        ...refundLine(refund, time),
        ...keyOf(refund.idempotencyKey),
      })),
      ClientMobile: operation.clientPhone ?? null,
      ClientName: clientName(operation.clientPhone ?? operation.token),
    };
  }
}

/** Returns the tiyns of a paid operation that can still be returned. */
export function leftToReturn({ amount, refunds }: SandboxOperation): number {
  return refunds.reduce((left, refund) => left - toTiyns(refund.amount), toTiyns(amount));
}

/** Returns the tenge that can still be returned; 0 for an unpaid operation. */
function available(operation: SandboxOperation, status: string): number {
  return status === 'Processed' ? fromTiyns(leftToReturn(operation)) : 0;
}

interface Row {
  readonly Amount: number;
  readonly ReturnedAmount: number;
  readonly Status: string;
  readonly TransactionDate: string;
}

function dailySets<Shown extends Row>(rows: readonly Shown[]) {
  const days = new Map<string, Shown[]>();
  for (const row of rows) {
    const day = row.TransactionDate.slice(0, 10);
    days.set(day, [...(days.get(day) ?? []), row]);
  }
  return [...days].map(([day, shown]) => ({
    Date: day,
    ...statisticOf(shown),
    Operations: shown,
  }));
}

/** Returns the paid and returned totals of some rows. */
function statisticOf(rows: readonly Row[]) {
  const paid = rows.filter(({ Status }) => Status === 'Processed');
  const sum = (of: (row: Row) => number) =>
    fromTiyns(paid.reduce((total, row) => total + toTiyns(of(row)), 0));
  return {
    Count: paid.length,
    TotalAmount: sum(({ Amount }) => Amount),
    TotalReturned: sum(({ ReturnedAmount }) => ReturnedAmount),
  };
}

function returned(operation: SandboxOperation): number {
  return fromTiyns(toTiyns(operation.amount) - leftToReturn(operation));
}

function refundLine(refund: SandboxRefund, time: (instant: number) => string) {
  return { Id: refund.id, ReturnAmount: refund.amount, TransactionDate: time(refund.createdAt) };
}
