import type { StatusLine } from '../payment/payment-card.js';
import { attention } from '../payment/payment-words.js';
import { emptyField } from './till-keys.js';
import type {
  Field,
  Sale,
  Step,
  TillEffect,
  TillFailure,
  TillRefund,
  TillScreen,
  TillState,
} from './till-types.js';

/** Returns the initial state; `shift` is the prefix of the keys of its sales and must be unique. */
export function openTill(shift: string, now: number): TillState {
  return {
    screen: { name: 'amount', field: emptyField },
    signingIn: undefined,
    staysOut: false,
    shop: '',
    isSandbox: false,
    phone: '',
    away: undefined,
    open: [],
    troubles: {},
    ended: [],
    doubts: [],
    refunds: [],
    inDoubt: undefined,
    notice: undefined,
    shift,
    keysMade: 0,
    now,
    moment: 0,
  };
}

export function stay(state: TillState, ...effects: readonly TillEffect[]): Step {
  return { state, effects };
}

/** Changes the screen. The cashier's next requests may ask for a sign-in again. */
export function go(state: TillState, screen: TillScreen, ...effects: readonly TillEffect[]): Step {
  return { state: { ...state, screen, staysOut: false }, effects };
}

/** Returns to the screen of the amount. */
export function home(state: TillState, field: Field = emptyField): Step {
  return stay({ ...state, screen: { name: 'amount', field } });
}

export function warn(state: TillState, text: string): TillState {
  return { ...state, notice: attention(text) };
}

/** Milliseconds for which a notice about another payment is shown. */
const otherShownFor = 10_000;

/** Shows a notice about a payment that is not on the screen. */
export function sayOfOther(
  state: TillState,
  line: StatusLine,
  ...details: readonly string[]
): TillState {
  return { ...state, notice: { ...line, details, since: state.moment } };
}

/** Returns the state without a notice that has expired. */
export function withoutOldNotice(state: TillState): TillState {
  const { notice, moment } = state;
  const isOld = notice && 'since' in notice && moment - notice.since >= otherShownFor;
  return isOld ? { ...state, notice: undefined } : state;
}

/** Returns a new `Idempotency-Key` and the state after it. */
export function nextKey(state: TillState): readonly [string, TillState] {
  const keysMade = state.keysMade + 1;
  return [`${state.shift}-${keysMade}`, { ...state, keysMade }];
}

/** Requests a payment and shows that. */
export function ask(state: TillState, sale: Sale): Step {
  return go(state, { name: 'asking', sale }, { do: 'create', sale });
}

/** Repeats, under the same keys, the requests that the screen and the refunds are still waiting for. */
export function resume(state: TillState): Step {
  const waiting = state.refunds.filter(({ step }) => step === 'waiting');
  const refunds = state.refunds.map((each) =>
    each.step === 'waiting' ? ({ ...each, step: 'asked' } as const) : each,
  );
  return stay({ ...state, refunds }, ...awaited(state.screen), ...waiting.map(refundEffect));
}

export function refundEffect({ of, amount, key }: TillRefund): TillEffect {
  return { do: 'refund', id: of.id, amount, key };
}

/** Returns the effects that a screen is waiting for, except refunds, which the till resumes on any screen. */
export function awaited(screen: TillScreen): readonly TillEffect[] {
  switch (screen.name) {
    case 'asking':
      return [{ do: 'create', sale: screen.sale }];
    case 'phone':
      return screen.asked ? [{ do: 'find_client', phone: screen.asked }] : [];
    case 'refunds':
      return screen.rows ? [] : [{ do: 'list_returnable' }];
    case 'history':
      return screen.rows ? [] : [{ do: 'list_history' }];
    case 'totals':
      return screen.totals ? [] : [{ do: 'add_up' }];
    default:
      return [];
  }
}

/** Opens the sign-in over the screen. A known phone gets its code immediately. */
export function askToSignIn(state: TillState): Step {
  if (state.signingIn) return stay(state);
  const { phone } = state;
  const blank = { field: emptyField, phone, processId: '', said: '' };
  const step = phone === '' ? 'phone' : 'sending';
  return stay(
    { ...state, signingIn: { ...blank, step } },
    ...(phone === '' ? [] : [{ do: 'send_code', phone } as const]),
  );
}

/** Returns the step after a failure: asks for a sign-in, notes that the gateway is away, or calls `refused`. */
export function fail(
  state: TillState,
  failure: TillFailure,
  refused: (state: TillState) => Step,
): Step {
  if (failure.kind === 'signed_out') return askToSignIn(state);
  if (failure.kind === 'away') return stay({ ...state, away: failure.text });
  return refused(state);
}

/** Parses a text; returns the message of the error if it is invalid. */
export function faultOf<Value>(
  read: (text: string) => Value,
  text: string,
): { readonly value: Value } | { readonly fault: string } {
  try {
    return { value: read(text) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}
