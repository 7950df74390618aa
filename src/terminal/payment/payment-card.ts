import type { Colors } from '../colors.js';
import type { QrStyle } from '../qr.js';

/** How the payment screen may draw. */
export interface ScreenStyle extends QrStyle {
  readonly colors: Colors;
  /** IANA name: whose clocks times are shown by. */
  readonly zone: string;
}

/** How an open payment stands, as colours and symbols tell it apart. */
export type Tone = 'waiting' | 'busy' | 'attention';

/** A sentence for the cashier, with what tells it apart where there is no colour. */
export interface StatusLine {
  readonly tone: Tone;
  readonly symbol: string;
  readonly text: string;
}

/** `returned`: paid, and all of it returned since. */
export type ResultKind = 'success' | 'returned' | 'failed' | 'expired' | 'unknown';

/** How a payment ended, in words: a title to be read across a counter, and the reason. */
export interface ResultWords {
  readonly kind: ResultKind;
  readonly title: string;
  readonly symbol: string;
  readonly reason: string;
}

/** What the cashier's screen says about a payment, whatever becomes of it. */
export interface PaymentCard {
  readonly id: string;
  /** Tenge. */
  readonly amount: number;
  /** Tenge of it that were returned since it was paid; absent where nothing was. */
  readonly returned?: number | undefined;
  /** What a QR code is made of. */
  readonly link?: string | undefined;
  readonly orgName?: string | undefined;
  readonly clientName?: string | undefined;
  /** `7` and ten digits. */
  readonly clientPhone?: string | undefined;
  readonly orderNumber?: string | undefined;
  readonly receiptUrl?: string | undefined;
  /** True if the provider only simulated the payment. */
  readonly sandbox?: boolean | undefined;
  readonly createdAt: number;
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number | undefined;
}
