import type { Intent, Refund } from '#validators/payment-records';
import { AppError } from '../../base/errors.js';
import { cursorOf, type Payment } from '../payment.js';
import type { IntentStore, PaymentStore, PaymentStores, RefundStore } from '../store.js';
import { providerDay } from '../zoned-time.js';
import { type DaySpan, isWithin, spanOf } from './days.js';

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

/** Days (`YYYY-MM-DD`) by organization. */
export type DaysByOrganization = ReadonlyMap<number, ReadonlySet<string>>;

/**
 * Returns the days, from `first` on and in `zone`, on which organizations had refunds or requests that were in doubt,
 * as their operations at the provider may belong to no stored payment. Reads all stored refunds and intents.
 */
export async function daysWithOtherActs(
  { intents, refunds }: Pick<PaymentStores, 'intents' | 'refunds'>,
  first: string,
  zone: string,
): Promise<DaysByOrganization> {
  const found = new Map<number, Set<string>>();
  const { from } = spanOf(first, zone);
  const add = ({ organizationId, createdAt }: { organizationId: number; createdAt: number }) => {
    if (createdAt < from) return;
    const days = found.get(organizationId) ?? new Set();
    found.set(organizationId, days.add(providerDay(createdAt, zone)));
  };
  for (const state of ['in_doubt', 'adopted', 'not_made'] as const) {
    for await (const intent of intents.list(state)) add(intent);
  }
  for await (const refund of refunds.list()) add(refund);
  return found;
}

/** Returns those of `days` on which an organization had payments. Both lists are in ascending order. */
export async function daysWithPayments(
  { payments }: Pick<PaymentStores, 'payments'>,
  organizationId: number,
  days: readonly string[],
  zone: string,
): Promise<string[]> {
  const found: string[] = [];
  let left = days;
  for (let day = left.at(-1); day !== undefined; day = left.at(-1)) {
    // The cursor is after every payment of the first moment after the day.
    const { to: createdAt } = spanOf(day, zone);
    const after = cursorOf({ organizationId, type: 'invoice', id: '0', createdAt });
    const { payments: page } = await payments.page({ organizationId, after, limit: 1 });
    const [newest] = page;
    if (!newest) break;
    const itsDay = providerDay(newest.createdAt, zone);
    if (itsDay === day) found.unshift(day);
    left = left.filter((each) => each < day && each <= itsDay);
  }
  return found;
}
