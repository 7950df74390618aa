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

/** Returns the initial state. `shift` is the prefix of all keys in this shift and must be unique. */
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

/** Changes the screen. From now on, requests may ask for a sign-in again. */
export function go(state: TillState, screen: TillScreen, ...effects: readonly TillEffect[]): Step {
  return { state: { ...state, screen, staysOut: false }, effects };
}

/** Returns to the amount screen. */
export function home(state: TillState, field: Field = emptyField): Step {
  return stay({ ...state, screen: { name: 'amount', field } });
}

export function warn(state: TillState, text: string): TillState {
  return { ...state, notice: attention(text) };
}

/** Time for which a notice about a different payment is shown, in milliseconds. */
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

/** Returns a new `Idempotency-Key` and the next state. */
export function nextKey(state: TillState): readonly [string, TillState] {
  const keysMade = state.keysMade + 1;
  return [`${state.shift}-${keysMade}`, { ...state, keysMade }];
}

/** Requests a payment and shows the waiting screen. */
export function ask(state: TillState, sale: Sale): Step {
  return go(state, { name: 'asking', sale }, { do: 'create', sale });
}

/** Repeats the requests for which the screen and refunds are waiting, under the same keys. */
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

/** Returns the effects for which a screen is waiting. Refunds are not included, because every screen resumes them. */
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

/** Opens the sign-in over the screen. If the phone is known, a code is sent immediately. */
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

/** Returns the step after a failure: a sign-in, a notice that the gateway is unavailable, or the step of `refused`. */
export function fail(
  state: TillState,
  failure: TillFailure,
  refused: (state: TillState) => Step,
): Step {
  if (failure.kind === 'signed_out') return askToSignIn(state);
  if (failure.kind === 'away') return stay({ ...state, away: failure.text });
  return refused(state);
}

/** Parses a text. Returns the error message if it is invalid. */
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
