import type { NewOrder } from '#validators/orders';
import { AppError, type ErrorDetail } from '../base/errors.js';
import { readPhone } from '../base/phones.js';
import type { Checkout } from './checkout.js';
import type { Order } from './order.js';

/** The customer of an order, and how it is handed over. */
export type Customer = Pick<Order, 'contact' | 'note'> & {
  readonly fulfillment: Pick<Order['fulfillment'], 'method' | 'address' | 'requestedFor'>;
};

/** The details of an order that its customer states, as they are sent. */
export type Details = Pick<NewOrder, 'contact' | 'fulfillment' | 'note'>;

/** A time without a zone would depend on the server's. */
const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/i;

/** How far ahead an order can be requested, in milliseconds. */
const maxAhead = 30 * 86_400_000;

/**
 * Returns the customer of an order as a client sends it. Throws `validation_failed` for what the shop's settings do not
 * allow, or require.
 */
export function readCustomer(body: Details, checkout: Checkout, now: number): Customer {
  const details: ErrorDetail[] = [];
  const fault = (path: string, message: string) => details.push({ path, message });
  const contact = readContact(body.contact, checkout, fault);
  const fulfillment = readFulfillment(body.fulfillment, { ...checkout, now }, fault);
  if (details.length > 0) {
    const message = 'The shop does not accept these details of the order.';
    throw new AppError('validation_failed', message, { details });
  }
  return { ...(contact ? { contact } : {}), fulfillment, note: body.note?.trim() ?? '' };
}

/** Returns true if a repeated request has the details with which its order was made. */
export function isSameCustomer(
  order: Order,
  { contact, fulfillment, note = '' }: Details,
): boolean {
  const { method, address, requestedFor } = order.fulfillment;
  const isSameContact = contact
    ? contact.name.trim() === order.contact?.name &&
      readPhone(contact.phone) === order.contact.phone
    : order.contact === undefined;
  const time = fulfillment?.requestedFor;
  const isSameTime = (time ? Date.parse(time) : null) === requestedFor;
  const isSameWay =
    (fulfillment?.method ?? method) === method &&
    (method === 'pickup' || (fulfillment?.address?.trim() || null) === address);
  return isSameContact && isSameTime && isSameWay && note.trim() === order.note;
}

type Fault = (path: string, message: string) => unknown;

function readContact(
  given: NewOrder['contact'],
  { contact }: Checkout,
  fault: Fault,
): Order['contact'] {
  if (!given) {
    if (contact === 'required') fault('/contact', 'is required');
    return undefined;
  }
  if (contact === 'off') fault('/contact', 'must be absent: the shop does not ask for it');
  const phone = readPhone(given.phone);
  if (phone === undefined) {
    fault(
      '/contact/phone',
      'must be a phone number such as +7 701 123-45-67, or + and 7 to 15 digits',
    );
  }
  return { name: given.name.trim(), phone: phone ?? '' };
}

function readFulfillment(
  given: NewOrder['fulfillment'],
  { methods, leadMinutes, now }: Checkout & { readonly now: number },
  fault: Fault,
): Customer['fulfillment'] {
  const [usual = 'pickup'] = methods;
  // Without a choice, an order is picked up: a delivery needs an address.
  const { method = methods.includes('pickup') ? 'pickup' : usual } = given ?? {};
  const address = given?.address?.trim() || null;
  if (!methods.includes(method)) fault('/fulfillment/method', `must be ${methods.join(' or ')}`);
  if (method === 'delivery' && address === null)
    fault('/fulfillment/address', 'is required for a delivery');
  const requestedFor = given?.requestedFor ? Date.parse(given.requestedFor) : null;
  if (requestedFor !== null) {
    const earliest = now + leadMinutes * 60_000;
    if (
      Number.isNaN(requestedFor) ||
      !hasZone.test(given?.requestedFor ?? '') ||
      requestedFor < earliest ||
      requestedFor > now + maxAhead
    ) {
      const from = new Date(earliest).toISOString();
      const to = new Date(now + maxAhead).toISOString();
      fault('/fulfillment/requestedFor', `must have a time zone, and be between ${from} and ${to}`);
    }
  }
  return { method, address: method === 'delivery' ? address : null, requestedFor };
}
