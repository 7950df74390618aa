import { attention } from '../payment/payment-words.js';
import { emptyField } from './till-field.js';
import type {
  Field,
  Sale,
  Step,
  TillEffect,
  TillFailure,
  TillScreen,
  TillState,
} from './till-types.js';

/** The till as it opens; `shift` begins the keys of its sales and is to be unlike any other's. */
export function openTill(shift: string, now: number): TillState {
  return {
    screen: { name: 'amount', field: emptyField },
    signingIn: undefined,
    staysOut: false,
    shop: '',
    phone: '',
    away: undefined,
    open: [],
    troubles: {},
    ended: [],
    doubts: [],
    notice: undefined,
    shift,
    keysMade: 0,
    now,
  };
}

export function stay(state: TillState, ...effects: readonly TillEffect[]): Step {
  return { state, effects };
}

/** Another screen, and what it needs. What the cashier does by it may ask for a sign-in again. */
export function go(state: TillState, screen: TillScreen, ...effects: readonly TillEffect[]): Step {
  return { state: { ...state, screen, staysOut: false }, effects };
}

/** Back to the amount. */
export function home(state: TillState, field: Field = emptyField): Step {
  return stay({ ...state, screen: { name: 'amount', field } });
}

export function warn(state: TillState, text: string): TillState {
  return { ...state, notice: attention(text) };
}

/** A fresh `Idempotency-Key`. */
export function nextKey(state: TillState): readonly [string, TillState] {
  const keysMade = state.keysMade + 1;
  return [`${state.shift}-${keysMade}`, { ...state, keysMade }];
}

/** Asks for a payment, and shows that it is being asked for. */
export function ask(state: TillState, sale: Sale): Step {
  return go(state, { name: 'asking', sale }, { do: 'create', sale });
}

/** What the screen still waits for, asked again under the same keys. */
export function resume(state: TillState): readonly TillEffect[] {
  const { screen } = state;
  switch (screen.name) {
    case 'asking':
      return [{ do: 'create', sale: screen.sale }];
    case 'phone':
      return screen.asked ? [{ do: 'find_client', phone: screen.asked }] : [];
    case 'refunds':
      return screen.rows ? [] : [{ do: 'list_returnable' }];
    case 'refund': {
      const { step, of, key, amount } = screen;
      if (step !== 'returning' || key === undefined || amount === undefined) return [];
      return [{ do: 'refund', id: of.id, amount, key }];
    }
    case 'history':
      return screen.rows ? [] : [{ do: 'list_history' }];
    case 'totals':
      return screen.totals ? [] : [{ do: 'add_up' }];
    default:
      return [];
  }
}

/** Asks for a sign-in over the screen; a known phone is sent its code at once. */
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

/** What every failure does: a sign-in is asked for, silence is remembered; `refused` decides what else there is. */
export function fail(
  state: TillState,
  failure: TillFailure,
  refused: (state: TillState) => Step,
): Step {
  if (failure.kind === 'signed_out') return askToSignIn(state);
  if (failure.kind === 'away') return stay({ ...state, away: failure.text });
  return refused(state);
}

/** The sentence of what a rule says against a value. */
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
