import type { PaymentRow } from '../../src/payments/client/gateway-client.js';
import type { IntentRow, RefundView } from '../../src/payments/payment-view.js';
import { maskPhone } from '../../src/payments/phone.js';
import { formatMoment, formatPhone, formatTenge } from '../../src/terminal/formats.js';
import type { TableColumn } from '../../src/terminal/table.js';

/** A payment in a list, as far as that is known. */
export interface ListedPayment extends PaymentRow {
  /** Still open here, while nobody watches it and its time to pay is over. */
  readonly maybeExpired?: true;
}

function stateText({ state, outcome, maybeExpired }: ListedPayment): string {
  return maybeExpired ? 'expired?' : (outcome ?? state);
}

/** Columns for payments that are stored here; times are those of `zone`. */
export function paymentColumns(zone: string): readonly TableColumn<ListedPayment>[] {
  return [
    { title: 'CREATED', optional: 2, text: ({ createdAt }) => moment(createdAt, zone) },
    { title: 'ID', text: ({ paymentId }) => paymentId },
    { title: 'TYPE', optional: 4, text: ({ type }) => type },
    { title: 'AMOUNT', align: 'right', text: ({ amount }) => formatTenge(amount) },
    { title: 'STATE', text: stateText },
    { title: 'STATUS', shrinkTo: 12, optional: 3, text: ({ status }) => status },
    // Seen with another end than it had: whoever looks at the list has to see that first.
    { title: 'FLIPPED TO', shrinkTo: 12, text: ({ flippedTo }) => flippedTo ?? '' },
    { title: 'REFERENCE', shrinkTo: 10, optional: 6, text: ({ reference }) => reference ?? '' },
    { title: 'CLIENT', optional: 5, text: ({ clientPhone }) => formatPhone(clientPhone ?? '') },
  ];
}

export function refundColumns(zone: string): readonly TableColumn<RefundView>[] {
  return [
    {
      title: 'CREATED',
      optional: 1,
      text: ({ createdAt }) => moment(createdAt, zone),
    },
    { title: 'ID', text: ({ id }) => id },
    { title: 'PAYMENT', text: ({ paymentId }) => paymentId },
    { title: 'AMOUNT', align: 'right', text: ({ amount }) => formatTenge(amount) },
    { title: 'OUTCOME', text: ({ outcome }) => outcome ?? 'in doubt' },
    { title: 'CASHIER', optional: 2, text: ({ cashier }) => maskPhone(cashier) },
  ];
}

/** Columns for what is in doubt; what it may be stands last. */
export function doubtColumns(zone: string): readonly TableColumn<IntentRow>[] {
  return [
    { title: 'CREATED', optional: 2, text: ({ createdAt }) => moment(createdAt, zone) },
    { title: 'INTENT', text: ({ intent }) => intent },
    { title: 'KIND', text: ({ kind }) => kind },
    { title: 'AMOUNT', align: 'right', text: ({ amount }) => formatTenge(amount) },
    { title: 'STATE', text: ({ state }) => (state === 'running' ? 'under way' : '') },
    { title: 'OF', optional: 1, text: ({ paymentId }) => paymentId ?? '' },
    {
      title: 'MAY BE',
      optional: 3,
      shrinkTo: 12,
      text: ({ candidates }) =>
        candidates.map(({ id, madeAt }) => `${id} (${moment(madeAt, zone)})`).join(' '),
    },
    { title: 'KEY', shrinkTo: 12, optional: 4, text: ({ key }) => key },
  ];
}

function moment(time: string, zone: string): string {
  return formatMoment(Date.parse(time), zone);
}
