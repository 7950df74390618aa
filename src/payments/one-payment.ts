import { AppError } from '../base/errors.js';
import { cursorOf, newestFirst, type Payment, paymentKey } from './payment.js';
import { canonicalId } from './providers/answer-values.js';
import type { PaymentQuery, PaymentStore } from './store.js';

/** Maximum number of an organization's newest payments that are searched for the provider's second ID. */
const maxSearched = 1_000;
/** Number of payments per page. */
const pageLength = 500;

/**
 * Returns the payments with an operation ID, or with this ID as the provider's second ID of the operation. The search
 * for a second ID covers only open payments and the organization's newest payments, because few providers use two IDs.
 */
export async function findByEitherId(
  store: Pick<PaymentStore, 'find' | 'list' | 'page'>,
  request: PaymentQuery,
): Promise<readonly Payment[]> {
  const query = { ...request, id: canonicalId(request.id) };
  const known = await store.find(query);
  if (known.length > 0) return known;
  const { id, type, organizationId } = query;
  const found = new Map<string, Payment>();
  const take = (payment: Payment) => {
    const matches =
      payment.otherId === id &&
      (type === undefined || payment.type === type) &&
      (organizationId === undefined || payment.organizationId === organizationId);
    if (matches) found.set(paymentKey(payment), payment);
  };
  for await (const payment of store.list('open')) take(payment);
  if (organizationId === undefined) return newestFirst([...found.values()]);
  let after: string | undefined;
  for (let read = 0; read < maxSearched; read += pageLength) {
    const page = await store.page({ organizationId, after, limit: pageLength });
    page.payments.forEach(take);
    const last = page.payments.at(-1);
    if (!last || !page.hasMore) break;
    after = cursorOf(last);
  }
  return newestFirst([...found.values()]);
}

/**
 * Returns the only payment found with an ID. Throws `not_found` if there are no payments and `conflict` if there are
 * several, because IDs are unique only per organization and type.
 */
export function onePayment(found: readonly Payment[], id: string): Payment {
  const [payment, ...others] = found;
  if (payment && others.length === 0) return payment;
  if (!payment) {
    throw new AppError('not_found', `Payment ${id} is not stored here.`, {
      hint: 'msgsite pay payments lists the stored payments.',
    });
  }
  const names = found.map(
    ({ type, organizationId }) => `${type} of organization ${organizationId}`,
  );
  const types = new Set(found.map(({ type }) => type));
  throw new AppError('conflict', `Several payments have the ID ${id}: ${names.join(', ')}.`, {
    hint:
      types.size > 1
        ? 'Choose one with --type qr or --type invoice.'
        : 'Sign in as a cashier of the right organization: msgsite pay login.',
  });
}
