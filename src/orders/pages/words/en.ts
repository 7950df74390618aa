import type { OrderWords } from './order-words.js';

export const en: OrderWords = {
  toPay: 'To pay',
  statuses: {
    pending: {
      status: 'Waiting for the payment…',
      title: 'Payment',
      text: 'The code will appear shortly.',
    },
    paid: { status: 'Paid', title: 'Thank you!', text: 'Your payment has arrived.' },
    failed: {
      status: 'Not paid',
      title: 'The payment did not go through',
      text: 'The bank says that the payment was declined or cancelled. Nothing was charged for this order.',
    },
    expired: {
      status: 'Not paid: the code has expired',
      title: 'The time to pay has passed',
      text: 'The code was not paid in time and is no longer valid. Nothing was charged for this order.',
    },
    unknown: {
      status: 'Not known yet',
      title: 'We do not know yet whether the payment went through',
      text: 'Please do not pay again. Contact the shop and give the order number: the shop can check with the bank.',
    },
  },
  scan: 'Scan the code in your bank’s app and confirm the payment. The result will appear here automatically.',
  open: 'Open your bank’s app, confirm the payment there and come back to this page.',
  openApp: 'Open the bank’s app',
  showCode: 'Show the code to pay from another phone',
  codeAlt: 'QR code to pay {}',
  until: 'Valid until',
  left: '{} left',
  checking: 'checking with the bank…',
  lost: 'Connection lost, trying again. If you have already paid, the result will appear here.',
  preparing: 'Preparing the code…',
  number: 'Order number',
  next: 'Keep the order number. To arrange how you get your purchase, contact the shop and give this number.',
  otherwise: 'If your bank’s app says otherwise, contact the shop and give the order number.',
  again: 'Try again',
  back: 'Back to the shop',
  close: 'Close',
  failures: {
    not_for_sale: {
      title: 'Not available right now',
      text: 'This product, or this quantity of it, is not available right now. Nothing was charged.',
    },
    payments_unavailable: {
      title: 'Payments are not possible right now',
      text: 'Nothing was charged. To order, please contact the shop.',
    },
    rate_limited: {
      title: 'Too many orders',
      text: 'Many orders have come from your connection. Try again in {} min.',
    },
    not_found: {
      title: 'This product is gone',
      text: 'It is no longer in the shop. Nothing was charged.',
    },
    provider_error: {
      title: 'The bank did not prepare a code',
      text: 'No order was placed, and nothing was charged. Try again in a moment.',
    },
    other: {
      title: 'The order could not be placed',
      text: 'Something went wrong on our side. Try again: this will not create a second order.',
    },
  },
};
