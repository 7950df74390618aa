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

/**
 * Returns a cursor for lists sorted newest first. The next page begins with the payments that the organization created
 * before `createdAt`.
 */
const cursorAt = (organizationId: number, createdAt: number) =>
  cursorOf({ organizationId, type: 'invoice', id: '0', createdAt });

const pageLength = 500;
/** Maximum number of payments, and of operations, of one organization that are compared. */
const maxCompared = 100_000;

/** Returns the organization's payments that were created in a span, newest first. */
export async function paymentsWithin(
  { payments: store }: OwnStores,
  organizationId: number,
  span: DaySpan,
): Promise<Payment[]> {
  const found: Payment[] = [];
  let after: string | undefined = cursorAt(organizationId, span.to);
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

/** Throws `too_large` if there are too many operations to compare. */
export function assertBounded(count: number): void {
  if (count <= maxCompared) return;
  throw new AppError('too_large', `More than ${maxCompared} operations cannot be compared.`, {
    hint: 'Compare the provider’s statement with the output of msgsite pay payments --json.',
  });
}

/** Returns the organization's successful refunds, by payment ID. */
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

/** Returns the organization's intents in the given states, oldest first. */
export async function intentsIn(
  { intents }: Pick<OwnStores, 'intents'>,
  organizationId: number,
  ...states: Intent['state'][]
): Promise<Intent[]> {
  const found: Intent[] = [];
  for (const state of states) {
    for await (const intent of intents.list(state)) {
      if (intent.organizationId === organizationId) found.push(intent);
    }
  }
  return found.sort((a, b) => a.createdAt - b.createdAt);
}

/** Days (`YYYY-MM-DD`) by organization. */
export type DaysByOrganization = ReadonlyMap<number, ReadonlySet<string>>;

/**
 * Returns the days in `zone`, from `first` on, on which organizations had refunds or requests in doubt. Their
 * operations at the provider may not belong to a stored payment. Reads all stored refunds and intents.
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

/** Returns the days in `days` on which an organization had payments. Both lists are in ascending order. */
export async function daysWithPayments(
  { payments }: Pick<PaymentStores, 'payments'>,
  organizationId: number,
  days: readonly string[],
  zone: string,
): Promise<string[]> {
  const found: string[] = [];
  let left = days;
  for (let day = left.at(-1); day !== undefined; day = left.at(-1)) {
    const after = cursorAt(organizationId, spanOf(day, zone).to);
    const { payments: page } = await payments.page({ organizationId, after, limit: 1 });
    const [newest] = page;
    if (!newest) break;
    const itsDay = providerDay(newest.createdAt, zone);
    if (itsDay === day) found.unshift(day);
    left = left.filter((each) => each < day && each <= itsDay);
  }
  return found;
}
