import type { Intent, Refund } from '#validators/payment-records';
import { AppError } from '../../base/errors.js';
import { cursorOf, type Payment } from '../payment.js';
import type { IntentStore, PaymentStore, RefundStore } from '../store.js';
import { type DaySpan, isWithin } from './days.js';

export interface OwnStores {
  readonly payments: Pick<PaymentStore, 'find' | 'page'>;
  readonly intents: Pick<IntentStore, 'list'>;
  readonly refunds: Pick<RefundStore, 'list'>;
}

const pageLength = 500;
/** The most payments, and operations, of one organization that are compared; beyond, the day is refused. */
const mostCompared = 100_000;

/** The organization's payments that were made in a span, newest first. */
export async function paymentsWithin(
  { payments: store }: OwnStores,
  organizationId: number,
  span: DaySpan,
): Promise<Payment[]> {
  const found: Payment[] = [];
  // Behind whatever was made at the first moment after the span.
  let after: string | undefined = cursorOf({
    organizationId,
    type: 'invoice',
    id: '0',
    createdAt: span.to,
  });
  while (after !== undefined) {
    const query = { organizationId, after, limit: pageLength };
    const { payments, hasMore } = await store.page(query);
    found.push(...payments.filter(({ createdAt }) => isWithin(createdAt, span)));
    const oldest = payments.at(-1);
    after = oldest && hasMore && oldest.createdAt >= span.from ? cursorOf(oldest) : undefined;
    assertBounded(found.length);
  }
  return found;
}

/** Throws where there is more than fits a comparison. */
export function assertBounded(count: number): void {
  if (count <= mostCompared) return;
  throw new AppError('too_large', `More than ${mostCompared} operations cannot be compared.`, {
    hint: 'Compare the statement of the provider with msgsite pay payments --json.',
  });
}

/** The organization's amounts that were really returned, by the operation that they are of. */
export async function refundsByPayment(
  { refunds }: Pick<OwnStores, 'refunds'>,
  organizationId: number,
): Promise<Map<string, Refund[]>> {
  const byPayment = new Map<string, Refund[]>();
  for await (const refund of refunds.list()) {
    if (refund.organizationId !== organizationId || refund.outcome !== 'success') continue;
    const known = byPayment.get(refund.paymentId);
    if (known) known.push(refund);
    else byPayment.set(refund.paymentId, [refund]);
  }
  return byPayment;
}

/** The organization's intents in doubt, the oldest first. */
export async function intentsInDoubt(
  { intents }: Pick<OwnStores, 'intents'>,
  organizationId: number,
): Promise<Intent[]> {
  const found: Intent[] = [];
  for await (const intent of intents.list('in_doubt')) {
    if (intent.organizationId === organizationId) found.push(intent);
  }
  return found.sort((a, b) => a.createdAt - b.createdAt);
}

/** Returns the organization's intents that were closed as never made. */
export async function closedIntents(
  { intents }: Pick<OwnStores, 'intents'>,
  organizationId: number,
): Promise<Intent[]> {
  const found: Intent[] = [];
  for (const state of ['not_made', 'abandoned'] as const) {
    for await (const intent of intents.list(state)) {
      if (intent.organizationId === organizationId) found.push(intent);
    }
  }
  return found;
}
