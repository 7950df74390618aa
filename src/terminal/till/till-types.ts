import type { PaymentCard, ResultKind, StatusLine } from '../payment/payment-card.js';

/** What is pressed at the till, whatever bytes the terminal sends for it. */
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

/** A payment as the till knows it. */
export interface TillPayment {
  /** Names it among all of the till: `17-qr-1795230344`. */
  readonly key: string;
  readonly type: 'qr' | 'invoice';
  readonly organizationId: number;
  readonly card: PaymentCard;
  /** As the provider names it. */
  readonly status: string;
  readonly statusDesc: string;
  readonly isOpen: boolean;
  /** How it has ended; `unknown` while it is open. */
  readonly kind: ResultKind;
  /** Milliseconds since the epoch. */
  readonly endedAt: number | undefined;
}

/** What is asked of the gateway: one sale, under one key however often it is asked for. */
export interface Sale {
  /** The `Idempotency-Key`. */
  readonly key: string;
  readonly type: 'qr' | 'invoice';
  /** Tenge. */
  readonly amount: number;
  /** Whom an invoice is for. */
  readonly client?: Client;
}

export interface Client {
  /** `7` and ten digits. */
  readonly phone: string;
  /** As the bank knows it; empty where it does not. */
  readonly name: string;
}

/** A paid operation, of which some can be returned. */
export interface Returnable {
  readonly id: string;
  readonly when: string;
  readonly client: string;
  /** Tenge. */
  readonly amount: number;
  /** Tenge that can still be returned. */
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

/** A refund that this till has requested and whose outcome it does not know. */
export interface TillRefund {
  /** The `Idempotency-Key`. */
  readonly key: string;
  readonly of: Returnable;
  /** Tenge. */
  readonly amount: number;
  /** `waiting`: requested again under its key once the gateway answers or somebody signs in. */
  readonly step: 'asked' | 'waiting' | 'doubt';
  /** True if an earlier answer under the key was unclear; a later refusal does not settle that. */
  readonly isInDoubt: boolean;
}

/** A notice about a payment that is not on the screen; shown for ten seconds. */
export interface OtherNotice extends StatusLine {
  /** Details, such as the amount, that are added to the text if there is room. */
  readonly details: readonly string[];
  /** Milliseconds of the monotonic clock. */
  readonly since: number;
}

/** What is typed into, and what was wrong with it. */
export interface Field {
  readonly text: string;
  readonly fault?: string | undefined;
  /** True if the first digit or paste replaces the text: the till filled it in, or it was refused. */
  readonly isReplaceable?: boolean;
}

/** Undefined until it has come. */
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
      /** The key of the refund that is being made. */
      readonly key?: string;
      /** Tenge that were asked for. */
      readonly amount?: number;
      /** Tenge that are left after it. */
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

/** A sign-in in place; what was being done waits for it. */
export interface SigningIn {
  readonly step: 'phone' | 'sending' | 'code' | 'checking';
  readonly field: Field;
  /** Whom the code goes to. */
  readonly phone: string;
  readonly processId: string;
  /** What the provider says about the code it has sent. */
  readonly said: string;
}

/** Why something could not be done, sorted by what the till does about it. */
export interface TillFailure {
  /**
   * `signed_out`: a new sign-in helps; `away`: nobody answers, so it is asked again; `doubt`: it may have been done;
   * `refused`: it was not done.
   */
  readonly kind: 'signed_out' | 'away' | 'doubt' | 'refused';
  /** A sentence. */
  readonly text: string;
}

export interface TillState {
  readonly screen: TillScreen;
  /** Goes over the screen while it lasts. */
  readonly signingIn: SigningIn | undefined;
  /** True once the cashier has left a sign-in: nothing but what they do next asks for one again. */
  readonly staysOut: boolean;
  readonly shop: string;
  /** True if the provider only simulates payments. */
  readonly isSandbox: boolean;
  /** Of the cashier: `7` and ten digits; empty where it is not known. */
  readonly phone: string;
  /** What the gateway's silence is about; undefined while it answers. */
  readonly away: string | undefined;
  /** Payments that are being watched, the newest first. */
  readonly open: readonly TillPayment[];
  /** Why the last poll of a payment in `open` failed, or what is being done about it. */
  readonly troubles: Readonly<Record<string, StatusLine>>;
  /** The last results, the newest first. */
  readonly ended: readonly TillPayment[];
  /** Sales of which nobody knows whether they were made, the newest first. */
  readonly doubts: readonly Sale[];
  /** The newest first. */
  readonly refunds: readonly TillRefund[];
  /** How many requests of the organization are in doubt, from all its clients; undefined until they are counted. */
  readonly inDoubt: number | undefined;
  /** One line for the cashier, until the next key. */
  readonly notice: StatusLine | OtherNotice | undefined;
  /** Begins every key of this shift. */
  readonly shift: string;
  /** How many keys were made. */
  readonly keysMade: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Milliseconds of the monotonic clock. */
  readonly moment: number;
}

/** Something to be done outside the till; its result arrives as an event. */
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
  /** A line at a till that has no keys but Enter. */
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
  /** What the screen waits for could not be had. */
  | { readonly on: 'failed'; readonly failure: TillFailure }
  | { readonly on: 'signed_out' }
  | { readonly on: 'code_sent'; readonly processId: string; readonly said: string }
  | {
      readonly on: 'not_signed_in';
      readonly failure: TillFailure;
      /** Whether the same code may be typed again. */
      readonly mayRetry: boolean;
    }
  | { readonly on: 'signed_in'; readonly shop: string; readonly phone: string };

export type EventOf<Name extends TillEvent['on']> = Extract<TillEvent, { on: Name }>;

/** A state and what it asks to be done. */
export interface Step {
  readonly state: TillState;
  readonly effects: readonly TillEffect[];
}

/** What the till asks about values; the features decide. */
export interface TillRules {
  /** Tenge; throws an Error whose message says what is wrong. */
  readAmount(text: string): number;
  /** `7` and ten digits; throws an Error whose message says what is wrong. */
  readPhone(text: string): string;
}
