import type { PaymentRecords, PaymentRow } from '../../src/payments/client/gateway-client.js';

/** The most refunds of one payment that `pay wait` adds up and `pay adopt` searches. */
const mostRefunds = 1_000;

/** Returns the refunds of a payment that were made or refused, newest first. */
export async function storedRefunds(
  records: PaymentRecords,
  { paymentId, organizationId }: PaymentRow,
) {
  const query = { only: 'ended', paymentId, organizationId, limit: mostRefunds } as const;
  return (await records.refunds(query)).rows;
}
