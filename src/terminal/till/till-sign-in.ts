import { amountIn, codeField, editField, emptyField, phoneField } from './till-keys.js';
import { withoutWaiting } from './till-refund.js';
import { awaited, faultOf, home, resume, stay, warn } from './till-steps.js';
import type { EventOf, SigningIn, Step, TillKey, TillRules, TillState } from './till-types.js';

/** Handles a key during a sign-in. Esc leaves the sign-in and cancels the requests that wait for it. */
export function atSignIn(
  state: TillState,
  signingIn: SigningIn,
  key: TillKey,
  rules: TillRules,
): Step {
  const { step, field } = signingIn;
  if (key.name === 'escape') return stayOut(state);
  if (step === 'sending' || step === 'checking') return stay(state);
  const edited = editField(field, key, step === 'phone' ? phoneField : codeField);
  if (edited) return stay(withSignIn(state, { ...signingIn, field: edited }));
  if (key.name !== 'enter' || field.text === '') return stay(state);
  if (step === 'code') {
    const checking = withSignIn(state, {
      ...signingIn,
      step: 'checking',
      field: { text: field.text },
    });
    return stay(checking, {
      do: 'check_code',
      processId: signingIn.processId,
      code: field.text,
    });
  }
  const read = faultOf(rules.readPhone, field.text);
  if ('fault' in read) {
    return stay(withSignIn(state, { ...signingIn, field: { ...field, ...read } }));
  }
  const phone = read.value;
  const sending = { ...signingIn, step: 'sending', phone, field: emptyField } as const;
  return stay(withSignIn(state, sending), { do: 'send_code', phone });
}

function withSignIn(state: TillState, signingIn: SigningIn): TillState {
  return { ...state, signingIn };
}

function stayOut(before: TillState): Step {
  const state = withoutWaiting({ ...before, signingIn: undefined, staysOut: true });
  const said = warn(state, 'Nobody is signed in. Press s to sign in.');
  const { screen } = state;
  const isReturning = screen.name === 'refund' && screen.step === 'returning';
  if (awaited(screen).length === 0 && !isReturning) return stay(said);
  const isSale = screen.name === 'asking' && screen.sale.type === 'qr';
  return home(said, isSale ? amountIn(screen.sale.amount) : emptyField);
}

export function codeSent(state: TillState, { processId, said }: EventOf<'code_sent'>): Step {
  const { signingIn } = state;
  if (signingIn?.step !== 'sending') return stay(state);
  return stay(
    withSignIn(state, { ...signingIn, step: 'code', processId, said, field: emptyField }),
  );
}

export function notSignedIn(
  state: TillState,
  { failure, mayRetry }: EventOf<'not_signed_in'>,
): Step {
  const { signingIn } = state;
  if (!signingIn) return stay(state);
  const fault = failure.text;
  if (signingIn.step === 'checking' && (mayRetry || failure.kind === 'away')) {
    return stay(withSignIn(state, { ...signingIn, step: 'code', field: { text: '', fault } }));
  }
  // Enter sends a new code to the same phone or a different one.
  const field = { text: signingIn.phone, fault, isReplaceable: true };
  return stay(withSignIn(state, { ...signingIn, step: 'phone', field }));
}

/** Handles a finished sign-in. The interrupted requests are repeated under the same keys. */
export function signedIn(before: TillState, { shop, phone }: EventOf<'signed_in'>): Step {
  const state = {
    ...before,
    shop,
    phone,
    signingIn: undefined,
    staysOut: false,
    notice: undefined,
  };
  const resumed = resume(state);
  return stay(resumed.state, ...resumed.effects, { do: 'watch_again' }, { do: 'refresh' });
}
