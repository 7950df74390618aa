import { escapeForeign } from '../../base/foreign-text.js';
import { formatTenge } from '../formats.js';
import type { PaymentCard, ResultKind, ResultWords, StatusLine } from './payment-card.js';

interface ProviderStatus {
  readonly status: string;
  readonly statusDesc: string;
}

const waiting: Readonly<Record<string, StatusLine>> = {
  QrTokenCreated: {
    tone: 'waiting',
    symbol: '○',
    text: 'Waiting for the customer to scan',
  },
  QrTokenScanned: {
    tone: 'busy',
    symbol: '◐',
    text: 'Scanned. Waiting for the customer to confirm',
  },
  RemotePaymentCreated: {
    tone: 'waiting',
    symbol: '○',
    text: 'Invoice sent. Waiting for the customer to pay',
  },
};

/** Returns the text for the status of an open payment. An unknown status is shown unchanged, with a warning. */
export function describeStatus({ status, statusDesc }: ProviderStatus): StatusLine {
  const known = waiting[status];
  if (known) return known;
  const description = escapeForeign(statusDesc && statusDesc !== status ? statusDesc : status);
  return attention(`No outcome yet. The bank reports: ${description}`);
}

/** Returns a status that requires attention. */
export function attention(text: string): StatusLine {
  return { tone: 'attention', symbol: '!', text };
}

export const noAnswer = attention('The bank is not responding. Retrying.');

/** Status while a remote gateway is unavailable. */
export const noGateway = attention('The gateway is not responding. Retrying.');

export const noStorage = attention('The storage is not responding. Retrying.');

/** Returns the status for an ended session. `command` is the command that signs in again. */
export function signInAgain(command: string): StatusLine {
  return attention(`The session has ended. Run ${command} in another window to continue here.`);
}

/** Status of a payment without an outcome after its ExpireDate. */
export const overtime = attention(
  'The time to pay has expired. Checking the outcome with the bank.',
);

export const cancelling: StatusLine = {
  tone: 'busy',
  symbol: '◐',
  text: 'Cancelling the invoice',
};

const reasons: Readonly<Record<string, string>> = {
  CancelledByUser: 'The customer cancelled the payment.',
  NotConfirmedByUser: 'The customer did not confirm the payment.',
  CancelledByExternalSource: 'The payment was cancelled externally.',
  ProcessingFailed: 'The bank could not process the payment.',
  Rejected: 'The bank rejected the payment.',
  InsufficientFunds: 'The customer does not have enough money.',
  InsufficientFundsError: 'The customer does not have enough money.',
  Error: 'The payment failed at the bank.',
  QrTokenDiscarded: 'The QR code was withdrawn.',
  Expired: 'The time to pay has expired.',
  RemotePaymentCanceled: 'The invoice was cancelled.',
  RemotePaymentRejected: 'The customer declined the invoice.',
};

/** Texts for a payment in doubt. Nobody can pay a code that was not shown, but an invoice may have been delivered. */
export const doubtWords = {
  qr: {
    what: 'It is not known whether the QR payment was made',
    advice: 'Its code was not shown, so nobody can pay it. You can create another one.',
  },
  invoice: {
    what: 'It is not known whether the invoice was sent',
    advice: 'The customer may have received it. Do not send another one until this is clear.',
  },
} as const;

/** Titles and symbols of the results, which distinguish them without colours. */
export const titles = {
  success: { title: 'PAID', symbol: '✓' },
  returned: { title: 'RETURNED', symbol: '←' },
  failed: { title: 'NOT PAID', symbol: '✗' },
  expired: { title: 'EXPIRED', symbol: '!' },
  unknown: { title: 'UNKNOWN', symbol: '?' },
} as const;

/** Returns the texts of a result. `unknown` includes a payment that is still open when the wait ends. */
export function describeResult(kind: ResultKind, standing: ProviderStatus): ResultWords {
  return { kind, ...titles[kind], reason: reasonOf(kind, standing) };
}

/** Shown with the result of a simulated payment. */
export const sandboxResult = 'Sandbox: no money moved.';

/** Returns the amount of a result with its refunded part. */
export function moneyText({
  amount,
  returned = 0,
}: Pick<PaymentCard, 'amount' | 'returned'>): string {
  if (returned <= 0) return formatTenge(amount);
  if (returned >= amount) return `${formatTenge(returned)} of ${formatTenge(amount)}`;
  return `${formatTenge(amount)}, ${formatTenge(returned)} returned`;
}

function reasonOf(kind: ResultKind, { status, statusDesc }: ProviderStatus): string {
  if (kind === 'success') return 'The customer has paid.';
  if (kind === 'returned') return 'The customer has paid, and the full amount was returned.';
  if (kind === 'unknown') return 'The outcome is not known yet. Do not treat the payment as paid.';
  const known = reasons[status];
  if (known) return known;
  return `Nothing was paid. The bank reports: ${escapeForeign(statusDesc || status)}`;
}

/** The colours of the symbols. The text has the terminal's default colour, which is readable on any background. */
export const toneColors = { waiting: 'cyan', busy: 'magenta', attention: 'yellow' } as const;
