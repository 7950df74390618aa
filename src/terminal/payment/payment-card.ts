import type { Colors } from '../colors.js';
import type { QrStyle } from '../qr.js';

/** The style of a payment screen. */
export interface ScreenStyle extends QrStyle {
  readonly colors: Colors;
  /** The IANA time zone of shown times. */
  readonly zone: string;
}

/** The kind of a status, which determines its colour. */
export type Tone = 'waiting' | 'busy' | 'attention';

/** A status for the cashier. The symbol distinguishes it without colours. */
export interface StatusLine {
  readonly tone: Tone;
  readonly symbol: string;
  readonly text: string;
}

/** `returned` is a paid and fully refunded payment. */
export type ResultKind = 'success' | 'returned' | 'failed' | 'expired' | 'unknown';

/** The texts of a result. */
export interface ResultWords {
  readonly kind: ResultKind;
  readonly title: string;
  readonly symbol: string;
  readonly reason: string;
}

/** The details of a payment on the cashier's screen. */
export interface PaymentCard {
  readonly id: string;
  /** In tenge. */
  readonly amount: number;
  /** Refunded tenge; undefined if nothing was refunded. */
  readonly returned?: number | undefined;
  /** The content of the QR code. */
  readonly link?: string | undefined;
  readonly orgName?: string | undefined;
  readonly clientName?: string | undefined;
  /** `7` and ten digits. */
  readonly clientPhone?: string | undefined;
  readonly orderNumber?: string | undefined;
  readonly receiptUrl?: string | undefined;
  /** True if the provider only simulated the payment. */
  readonly sandbox?: boolean | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number | undefined;
}
