import { AppError } from '../base/errors.js';
import { cursorOf, newestFirst, type Payment, paymentKey } from './payment.js';
import { canonicalId } from './providers/answer-values.js';
import type { PaymentQuery, PaymentStore } from './store.js';

/**
 * The most of an organization's newest payments that are searched for the provider's second ID, and that are read
 * at once.
 */
const mostSearched = 1_000;
const pageLength = 500;

/**
 * Returns the payments with an operation ID, which may also be the provider's second ID of the operation. By the second
 * ID, only open payments and the organization's newest ones are found, as few providers give two IDs.
 */
export async function findByEitherId(
  store: Pick<PaymentStore, 'find' | 'list' | 'page'>,
  wanted: PaymentQuery,
): Promise<readonly Payment[]> {
  const query = { ...wanted, id: canonicalId(wanted.id) };
  const known = await store.find(query);
  if (known.length > 0) return known;
  const { id, type, organizationId } = query;
  const found = new Map<string, Payment>();
  const take = (payment: Payment) => {
    const isMeant =
      payment.otherId === id &&
      (type === undefined || payment.type === type) &&
      (organizationId === undefined || payment.organizationId === organizationId);
    if (isMeant) found.set(paymentKey(payment), payment);
  };
  for await (const payment of store.list('open')) take(payment);
  if (organizationId === undefined) return newestFirst([...found.values()]);
  let after: string | undefined;
  for (let read = 0; read < mostSearched; read += pageLength) {
    const page = await store.page({ organizationId, after, limit: pageLength });
    page.payments.forEach(take);
    const last = page.payments.at(-1);
    if (!last || !page.hasMore) break;
    after = cursorOf(last);
  }
  return newestFirst([...found.values()]);
}

/**
 * The one payment that an id means, of those that are stored: `not_found` where there is none, `conflict`
 * where there are several, which providers number by organization and type.
 */
export function onePayment(found: readonly Payment[], id: string): Payment {
  const [payment, ...others] = found;
  if (payment && others.length === 0) return payment;
  if (!payment) {
    throw new AppError('not_found', `No payment ${id} is stored here.`, {
      hint: 'msgsite pay payments lists those that were made here.',
    });
  }
  const names = found.map(
    ({ type, organizationId }) => `${type} of organization ${organizationId}`,
  );
  const types = new Set(found.map(({ type }) => type));
  throw new AppError('conflict', `Several payments have the id ${id}: ${names.join(', ')}.`, {
    hint:
      types.size > 1
        ? 'Say which one is meant with --type qr or --type invoice.'
        : 'Sign in as a cashier of the organization that is meant: msgsite pay login.',
  });
}
