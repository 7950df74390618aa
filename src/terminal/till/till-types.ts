import type { PaymentCard, ResultKind, StatusLine } from '../payment/payment-card.js';

/** A key, independent of the bytes that the terminal sends. */
export type TillKey =
  | { readonly name: 'char'; readonly char: string }
  | { readonly name: 'paste'; readonly text: string }
  | {
      readonly name:
        | 'enter'
        | 'escape'
        | 'backspace'
        | 'clear'
        | 'up'
        | 'down'
        | 'interrupt'
        | 'redraw';
    };

export interface TillPayment {
  /** The unique ID of the payment: `17-qr-1795230344`. */
  readonly key: string;
  readonly type: 'qr' | 'invoice';
  readonly organizationId: number;
  readonly card: PaymentCard;
  /** The provider's status. */
  readonly status: string;
  readonly statusDesc: string;
  readonly isOpen: boolean;
  /** Its result; `unknown` while it is open. */
  readonly kind: ResultKind;
  /** Milliseconds since the epoch. */
  readonly endedAt: number | undefined;
}

/** A sale, which is always requested under the same key. */
export interface Sale {
  /** The `Idempotency-Key`. */
  readonly key: string;
  readonly type: 'qr' | 'invoice';
  /** In tenge. */
  readonly amount: number;
  /** The customer who receives an invoice. */
  readonly client?: Client;
}

export interface Client {
  /** `7` and ten digits. */
  readonly phone: string;
  /** Name of the customer at the bank; empty if there is none. */
  readonly name: string;
}

/** A paid operation that can be refunded. */
export interface Returnable {
  readonly id: string;
  readonly when: string;
  readonly client: string;
  /** In tenge. */
  readonly amount: number;
  /** Amount that can still be refunded, in tenge. */
  readonly left: number;
}

/** An operation in the history. */
export interface PastOperation {
  readonly id: string;
  readonly when: string;
  readonly amount: number | undefined;
  readonly status: string;
  readonly client: string;
}

interface Total {
  readonly count: number;
  /** In tenge. */
  readonly sum: number;
}

/** The totals of a day. */
export interface DayTotals {
  readonly day: string;
  readonly gross: Total;
  readonly returned: Total;
  /** In tenge. */
  readonly net: number;
}

/** A refund that this till has requested and that has no outcome yet. */
export interface TillRefund {
  /** The `Idempotency-Key`. */
  readonly key: string;
  readonly of: Returnable;
  /** In tenge. */
  readonly amount: number;
  /** A `waiting` refund is requested again when the gateway is available again or a cashier signs in. */
  readonly step: 'asked' | 'waiting' | 'doubt';
  /** True if the outcome of an earlier request is unknown. A later rejection does not change that. */
  readonly isInDoubt: boolean;
}

/** A notice about a payment that is not on the screen. It is shown for ten seconds. */
export interface OtherNotice extends StatusLine {
  /** Details, such as the amount, which are shown if there is space for them. */
  readonly details: readonly string[];
  /** Time on the monotonic clock, in milliseconds. */
  readonly since: number;
}

/** An input field. */
export interface Field {
  readonly text: string;
  /** Reason why the text was rejected. */
  readonly fault?: string | undefined;
  /** True if the next digit or paste replaces the text, because the till filled it in or it was rejected. */
  readonly isReplaceable?: boolean;
}

/** A value from the gateway; undefined until it arrives. */
type Awaited<Value> = Value | undefined;

export type TillScreen =
  | { readonly name: 'amount'; readonly field: Field }
  | { readonly name: 'asking'; readonly sale: Sale }
  | { readonly name: 'doubt'; readonly sale: Sale; readonly reason: string }
  | { readonly name: 'payment'; readonly key: string }
  | { readonly name: 'result'; readonly payment: TillPayment }
  | { readonly name: 'open'; readonly selected: number }
  | { readonly name: 'phone'; readonly field: Field; readonly asked?: string | undefined }
  | { readonly name: 'invoice'; readonly client: Client; readonly field: Field }
  | {
      readonly name: 'refunds';
      readonly rows: Awaited<readonly Returnable[]>;
      readonly selected: number;
    }
  | {
      readonly name: 'refund';
      readonly of: Returnable;
      readonly field: Field;
      readonly step: 'typing' | 'returning' | 'doubt' | 'returned';
      /** The `Idempotency-Key` of the requested refund. */
      readonly key?: string;
      /** Requested amount in tenge. */
      readonly amount?: number;
      /** Amount that can still be refunded afterwards, in tenge. */
      readonly left?: number | undefined;
      /** Reason why the refund is in doubt. */
      readonly reason?: string;
    }
  | {
      readonly name: 'history';
      readonly rows: Awaited<readonly PastOperation[]>;
      readonly top: number;
    }
  | { readonly name: 'totals'; readonly totals: Awaited<DayTotals> }
  | { readonly name: 'keys' };

export type ScreenOf<Name extends TillScreen['name']> = Extract<TillScreen, { name: Name }>;

/** A sign-in over the current screen. The screen's requests wait for it. */
export interface SigningIn {
  readonly step: 'phone' | 'sending' | 'code' | 'checking';
  readonly field: Field;
  /** The phone that receives the code. */
  readonly phone: string;
  readonly processId: string;
  /** The provider's message about the sent code. */
  readonly said: string;
}

export interface TillFailure {
  /**
   * Determines the till's reaction. `signed_out`: a sign-in is required. `away`: there was no response, and the request
   * is repeated. `doubt`: the request may have been executed. `refused`: it was not executed.
   */
  readonly kind: 'signed_out' | 'away' | 'doubt' | 'refused';
  /** A sentence for the cashier. */
  readonly text: string;
}

export interface TillState {
  readonly screen: TillScreen;
  /** Shown instead of the screen. */
  readonly signingIn: SigningIn | undefined;
  /** True after the cashier has left a sign-in. Only their next request opens it again. */
  readonly staysOut: boolean;
  readonly shop: string;
  /** True if the provider only simulates payments. */
  readonly isSandbox: boolean;
  /** The cashier's phone: `7` and ten digits; empty if unknown. */
  readonly phone: string;
  /** Reason why the gateway is unavailable; undefined if it is available. */
  readonly away: string | undefined;
  /** Open payments, newest first. */
  readonly open: readonly TillPayment[];
  /** Problems and pending cancellations of payments in `open`, by key. */
  readonly troubles: Readonly<Record<string, StatusLine>>;
  /** The last results, newest first. */
  readonly ended: readonly TillPayment[];
  /** Sales in doubt, newest first. */
  readonly doubts: readonly Sale[];
  /** Newest first. */
  readonly refunds: readonly TillRefund[];
  /** Number of the organization's requests in doubt, from all API clients; undefined until they have been counted. */
  readonly inDoubt: number | undefined;
  /** A notice for the cashier, which is shown until the next key. */
  readonly notice: StatusLine | OtherNotice | undefined;
  /** The prefix of all keys of this shift. */
  readonly shift: string;
  /** Number of keys created so far. */
  readonly keysMade: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Time on the monotonic clock, in milliseconds. */
  readonly moment: number;
}

/** An action outside the till. Its result arrives as an event. */
export type TillEffect =
  | { readonly do: 'create'; readonly sale: Sale }
  | { readonly do: 'find_client'; readonly phone: string }
  | { readonly do: 'cancel'; readonly payment: TillPayment }
  | { readonly do: 'watch'; readonly payments: readonly TillPayment[] }
  | { readonly do: 'watch_again' }
  | { readonly do: 'list_returnable' }
  | { readonly do: 'refund'; readonly id: string; readonly amount: number; readonly key: string }
  | { readonly do: 'list_history' }
  | { readonly do: 'add_up' }
  | { readonly do: 'refresh' }
  | { readonly do: 'send_code'; readonly phone: string }
  | { readonly do: 'check_code'; readonly processId: string; readonly code: string }
  | { readonly do: 'bell' }
  | { readonly do: 'leave' };

export type TillEvent =
  | { readonly on: 'key'; readonly key: TillKey }
  /** A line in plain mode. */
  | { readonly on: 'line'; readonly text: string }
  | { readonly on: 'tick'; readonly now: number; readonly moment: number }
  | { readonly on: 'connection'; readonly away: string | undefined }
  | { readonly on: 'opened'; readonly payments: readonly TillPayment[] }
  | { readonly on: 'made'; readonly sale: Sale; readonly payment: TillPayment }
  | { readonly on: 'not_made'; readonly sale: Sale; readonly failure: TillFailure }
  | { readonly on: 'changed'; readonly payment: TillPayment }
  | { readonly on: 'polled'; readonly key: string; readonly failure: TillFailure | undefined }
  | { readonly on: 'not_cancelled'; readonly key: string; readonly failure: TillFailure }
  | { readonly on: 'client'; readonly client: Client }
  | { readonly on: 'returnable'; readonly rows: readonly Returnable[] }
  | {
      readonly on: 'refunded';
      readonly key: string;
      readonly left: number | undefined;
      readonly note: string | undefined;
    }
  | { readonly on: 'not_refunded'; readonly key: string; readonly failure: TillFailure }
  | { readonly on: 'history'; readonly rows: readonly PastOperation[] }
  | { readonly on: 'totals'; readonly totals: DayTotals }
  | { readonly on: 'refreshed'; readonly inDoubt: number; readonly isSandbox: boolean }
  /** A request for which the screen waits has failed. */
  | { readonly on: 'failed'; readonly failure: TillFailure }
  | { readonly on: 'signed_out' }
  | { readonly on: 'code_sent'; readonly processId: string; readonly said: string }
  | {
      readonly on: 'not_signed_in';
      readonly failure: TillFailure;
      /** True if the cashier can enter another code. */
      readonly mayRetry: boolean;
    }
  | { readonly on: 'signed_in'; readonly shop: string; readonly phone: string };

export type EventOf<Name extends TillEvent['on']> = Extract<TillEvent, { on: Name }>;

/** A state and the effects to run. */
export interface Step {
  readonly state: TillState;
  readonly effects: readonly TillEffect[];
}

/** Parsers of the till's input. */
export interface TillRules {
  /** Returns an amount in tenge. Throws an Error with a message for the cashier. */
  readAmount(text: string): number;
  /** Returns `7` and ten digits. Throws an Error with a message for the cashier. */
  readPhone(text: string): string;
}
