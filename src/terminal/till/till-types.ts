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
  /** Tenge. */
  readonly amount: number;
  /** The client of an invoice. */
  readonly client?: Client;
}

export interface Client {
  /** `7` and ten digits. */
  readonly phone: string;
  /** The bank's name of the client; empty if it has none. */
  readonly name: string;
}

/** A paid operation that can be refunded. */
export interface Returnable {
  readonly id: string;
  readonly when: string;
  readonly client: string;
  /** Tenge. */
  readonly amount: number;
  /** Tenge that can still be refunded. */
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
  /** Tenge. */
  readonly sum: number;
}

/** The takings of a day. */
export interface DayTotals {
  readonly day: string;
  readonly gross: Total;
  readonly returned: Total;
  /** Tenge. */
  readonly net: number;
}

/** A refund that this till has requested and that has no outcome yet. */
export interface TillRefund {
  /** The `Idempotency-Key`. */
  readonly key: string;
  readonly of: Returnable;
  /** Tenge. */
  readonly amount: number;
  /** A `waiting` refund is requested again when the gateway answers or somebody signs in. */
  readonly step: 'asked' | 'waiting' | 'doubt';
  /** True if an earlier answer was unclear; a later refusal does not settle that. */
  readonly isInDoubt: boolean;
}

/** A notice about a payment that is not on the screen; shown for ten seconds. */
export interface OtherNotice extends StatusLine {
  /** Details, such as the amount, that are shown if there is room. */
  readonly details: readonly string[];
  /** Milliseconds of the monotonic clock. */
  readonly since: number;
}

/** An input field. */
export interface Field {
  readonly text: string;
  /** Why the text was refused. */
  readonly fault?: string | undefined;
  /** True if the first digit or paste replaces the text, because the till filled it in or it was refused. */
  readonly isReplaceable?: boolean;
}

/** Undefined until it arrives. */
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
      /** The key of the requested refund. */
      readonly key?: string;
      /** Requested tenge. */
      readonly amount?: number;
      /** Tenge that can be refunded after it. */
      readonly left?: number | undefined;
      /** Why it is in doubt. */
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

/** A sign-in over the current screen, whose requests wait for it. */
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
   * Decides the till's reaction. `signed_out`: a sign-in is needed; `away`: no answer, so the request is repeated;
   * `doubt`: it may have been executed; `refused`: it was not executed.
   */
  readonly kind: 'signed_out' | 'away' | 'doubt' | 'refused';
  /** A sentence. */
  readonly text: string;
}

export interface TillState {
  readonly screen: TillScreen;
  /** Covers the screen. */
  readonly signingIn: SigningIn | undefined;
  /** True after the cashier has left a sign-in; only their next request opens it again. */
  readonly staysOut: boolean;
  readonly shop: string;
  /** True if the provider only simulates payments. */
  readonly isSandbox: boolean;
  /** The cashier's phone: `7` and ten digits; empty if unknown. */
  readonly phone: string;
  /** Why the gateway does not answer; undefined while it does. */
  readonly away: string | undefined;
  /** Watched payments, newest first. */
  readonly open: readonly TillPayment[];
  /** Problems of payments in `open`, or what is being done about them. */
  readonly troubles: Readonly<Record<string, StatusLine>>;
  /** The last results, newest first. */
  readonly ended: readonly TillPayment[];
  /** Sales in doubt, newest first. */
  readonly doubts: readonly Sale[];
  /** Newest first. */
  readonly refunds: readonly TillRefund[];
  /** The number of the organization's requests in doubt, from all its clients; undefined until counted. */
  readonly inDoubt: number | undefined;
  /** A notice for the cashier, until the next key. */
  readonly notice: StatusLine | OtherNotice | undefined;
  /** The prefix of all keys of this shift. */
  readonly shift: string;
  /** The number of created keys. */
  readonly keysMade: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Milliseconds of the monotonic clock. */
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
  /** A request that the screen waits for has failed. */
  | { readonly on: 'failed'; readonly failure: TillFailure }
  | { readonly on: 'signed_out' }
  | { readonly on: 'code_sent'; readonly processId: string; readonly said: string }
  | {
      readonly on: 'not_signed_in';
      readonly failure: TillFailure;
      /** True if another code can be tried. */
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
  /** Returns tenge; throws an Error with a message for the cashier. */
  readAmount(text: string): number;
  /** Returns `7` and ten digits; throws an Error with a message for the cashier. */
  readPhone(text: string): string;
}
