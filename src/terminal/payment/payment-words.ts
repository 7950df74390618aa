import { escapeForeign } from '../../base/foreign-text.js';
import { formatTenge } from '../formats.js';
import type { PaymentCard, ResultKind, ResultWords, StatusLine } from './payment-card.js';

interface Standing {
  /** As the provider names it. */
  readonly status: string;
  readonly statusDesc: string;
}

const waiting: Readonly<Record<string, StatusLine>> = {
  QrTokenCreated: {
    tone: 'waiting',
    symbol: '○',
    text: 'Waiting for the client to scan the code',
  },
  QrTokenScanned: {
    tone: 'busy',
    symbol: '◐',
    text: 'Scanned: the client is confirming the payment',
  },
  RemotePaymentCreated: {
    tone: 'waiting',
    symbol: '○',
    text: 'Invoice sent: waiting for the client to pay',
  },
};

/** What an open payment is waiting for. A status nobody documented is shown as it is, with a warning. */
export function describeStatus({ status, statusDesc }: Standing): StatusLine {
  const known = waiting[status];
  if (known) return known;
  const said = escapeForeign(statusDesc && statusDesc !== status ? statusDesc : status);
  return attention(`Not decided yet. The bank says: ${said}`);
}

/** Something that the cashier should know of. */
export function attention(text: string): StatusLine {
  return { tone: 'attention', symbol: '!', text };
}

/** Said while the provider does not answer; the last known status stands. */
export const noAnswer = attention('The bank does not answer just now. Trying again.');

/** Said while a gateway on another machine is away. */
export const noGateway = attention('The gateway does not answer just now. Trying again.');

/** Said while nothing can be stored or read. */
export const noStorage = attention('The storage does not answer just now. Trying again.');

/** Said while the provider wants a new sign-in, which `command` makes. */
export function signInAgain(command: string): StatusLine {
  return attention(
    `The session has ended. Run ${command} in another window; this one then continues.`,
  );
}

/** Said after ExpireDate while the provider has not said how it ended. */
export const overtime = attention('The time to pay is over. Asking the bank how it ended.');

export const cancelling: StatusLine = {
  tone: 'busy',
  symbol: '◐',
  text: 'Cancelling the invoice',
};

const reasons: Readonly<Record<string, string>> = {
  CancelledByUser: 'The client cancelled the payment.',
  NotConfirmedByUser: 'The client did not confirm the payment.',
  CancelledByExternalSource: 'The payment was cancelled from outside.',
  ProcessingFailed: 'The bank could not process the payment.',
  Rejected: 'The bank rejected the payment.',
  InsufficientFunds: 'The client does not have enough money.',
  InsufficientFundsError: 'The client does not have enough money.',
  Error: 'The payment failed at the bank.',
  QrTokenDiscarded: 'The QR code was withdrawn.',
  Expired: 'The time to pay ran out.',
  RemotePaymentCanceled: 'The invoice was cancelled.',
  RemotePaymentRejected: 'The client rejected the invoice.',
};

/** A result in a word and a sign, which say it without any colour. */
export const titles = {
  success: { title: 'PAID', symbol: '✓' },
  returned: { title: 'RETURNED', symbol: '←' },
  failed: { title: 'NOT PAID', symbol: '✗' },
  expired: { title: 'EXPIRED', symbol: '!' },
  unknown: { title: 'UNKNOWN', symbol: '?' },
} as const;

/** How a payment ended. `unknown` also stands for one that is still open when the waiting ends. */
export function describeResult(kind: ResultKind, standing: Standing): ResultWords {
  return { kind, ...titles[kind], reason: reasonOf(kind, standing) };
}

/** A sentence that is added to the result of a simulated payment. */
export const sandboxResult = 'Sandbox: no money moved.';

/** The money of a result: what was asked for, and what of it was returned. */
export function moneyText({
  amount,
  returned = 0,
}: Pick<PaymentCard, 'amount' | 'returned'>): string {
  if (returned <= 0) return formatTenge(amount);
  if (returned >= amount) return `${formatTenge(returned)} of ${formatTenge(amount)}`;
  return `${formatTenge(amount)}, ${formatTenge(returned)} returned`;
}

function reasonOf(kind: ResultKind, { status, statusDesc }: Standing): string {
  if (kind === 'success') return 'The client has paid.';
  if (kind === 'returned') return 'The client has paid, and all of it was returned.';
  if (kind === 'unknown') return 'The outcome is not known yet. Do not take it for paid.';
  const known = reasons[status];
  if (known) return known;
  return `Nothing was paid. The bank says: ${escapeForeign(statusDesc || status)}`;
}

/** The colour of each tone's symbol; the words stay in the terminal's own, which can be read on any background. */
export const toneColors = { waiting: 'cyan', busy: 'magenta', attention: 'yellow' } as const;
