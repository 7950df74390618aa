import { formatTenge } from '../formats.js';
import { attention } from '../payment/payment-words.js';
import { amountField, amountIn, editField, emptyField, rejectedAmount } from './till-keys.js';
import { moved } from './till-sale.js';
import {
  fail,
  faultOf,
  go,
  home,
  nextKey,
  refundEffect,
  sayOfOther,
  stay,
  warn,
} from './till-steps.js';
import type {
  EventOf,
  Returnable,
  ScreenOf,
  Step,
  TillFailure,
  TillKey,
  TillRefund,
  TillRules,
  TillState,
} from './till-types.js';

/** Shows the list of refundable payments, including those with refunds that have no outcome yet. */
export function returnableCame(state: TillState, { rows }: EventOf<'returnable'>): Step {
  const { screen } = state;
  if (screen.name !== 'refunds') return stay(state);
  const all = [...rows];
  for (const { of } of state.refunds) if (!all.some(({ id }) => id === of.id)) all.unshift(of);
  return stay({ ...state, screen: { ...screen, rows: all } });
}

/** Handles a key in the list of refundable payments. */
export function inReturnable(state: TillState, screen: ScreenOf<'refunds'>, key: TillKey): Step {
  const { rows, selected } = screen;
  if (key.name === 'escape') return home(state);
  if (!rows) return stay(state);
  const of = rows[selected];
  if (key.name === 'enter' && of) {
    const before = state.refunds.find((each) => each.of.id === of.id);
    const field = amountIn(before?.amount ?? of.left);
    return go(state, { name: 'refund', of, field, step: 'typing' });
  }
  return key.name === 'enter'
    ? home(state)
    : go(state, { ...screen, selected: moved(selected, key, rows.length) });
}

/** Handles a key on the refund screen. Digits change the amount, and `y` returns it. */
export function atRefund(
  state: TillState,
  screen: ScreenOf<'refund'>,
  key: TillKey,
  rules: TillRules,
): Step {
  if (key.name === 'escape') return leaveRefund(state, screen);
  if (screen.step === 'returned') {
    const field = key.name === 'char' ? editField(emptyField, key, amountField) : undefined;
    return key.name === 'enter' || field ? home(state, field) : stay(state);
  }
  if (screen.step === 'returning') return stay(state);
  const isYes = key.name === 'char' && key.char === 'y';
  if (screen.step === 'doubt') {
    // Under the same key, the money is returned only once.
    return isYes ? startRefund(state, screen.of, screen.amount ?? 0) : stay(state);
  }
  if (isYes) return confirmed(state, screen, rules);
  if (key.name === 'enter') return stay(warn(state, 'Press y to return the money.'));
  const field = editField(screen.field, key, amountField);
  if (field === screen.field)
    return stay(warn(state, 'The pasted text is not an amount and was ignored.'));
  return field ? go(state, { ...screen, field }) : stay(state);
}

function leaveRefund(state: TillState, { step, amount = 0, of }: ScreenOf<'refund'>): Step {
  if (step !== 'returning') return home(state);
  return home(warn(state, `${formatTenge(amount)} of payment ${of.id} is still being returned.`));
}

function confirmed(state: TillState, screen: ScreenOf<'refund'>, rules: TillRules): Step {
  const { of, field } = screen;
  const reject = (fault: string) => go(state, { ...screen, field: rejectedAmount(field, fault) });
  const read = faultOf(rules.readAmount, field.text);
  if ('fault' in read) return reject(read.fault);
  const isKnown = earlier(state, of, read.value) !== undefined;
  if (!isKnown && read.value > of.left)
    return reject(`Only ${formatTenge(of.left)} can be refunded.`);
  return startRefund(state, of, read.value);
}

/** Returns an earlier refund of the same payment and amount that has no outcome yet. */
function earlier({ refunds }: TillState, { id }: Returnable, amount: number) {
  return refunds.find((each) => each.of.id === id && each.amount === amount);
}

/** Starts a refund. If the same refund has no outcome yet, uses its key and does not send a concurrent request. */
function startRefund(before: TillState, of: Returnable, amount: number): Step {
  const known = earlier(before, of, amount);
  const [key, state] = known ? ([known.key, before] as const) : nextKey(before);
  const isInDoubt = known?.isInDoubt ?? false;
  const refund: TillRefund = { key, of, amount, step: 'asked', isInDoubt };
  const screen = { name: 'refund', of, field: emptyField, step: 'returning', key, amount } as const;
  const refunds = [refund, ...state.refunds.filter((each) => each !== known)];
  return go(
    { ...state, refunds },
    screen,
    ...(known?.step === 'asked' ? [] : [refundEffect(refund)]),
  );
}

export function refunded(before: TillState, { key, left, note }: EventOf<'refunded'>): Step {
  const { screen, refunds } = before;
  const refund = refunds.find((each) => each.key === key);
  const state = { ...before, refunds: refunds.filter((each) => each !== refund) };
  if (screen.name === 'refund' && screen.key === key) {
    const said = note === undefined ? state : warn(state, note);
    return stay({ ...said, screen: { ...screen, step: 'returned', left } });
  }
  const text = note === undefined ? 'Returned' : 'Returned earlier';
  const line = { tone: 'busy', symbol: '✓', text } as const;
  return stay(sayOfOther(state, line, ...namesOf(refund)), { do: 'bell' });
}

function namesOf(refund: TillRefund | undefined): readonly string[] {
  return refund ? [formatTenge(refund.amount), `payment ${refund.of.id}`] : [];
}

export function notRefunded(before: TillState, { key, failure }: EventOf<'not_refunded'>): Step {
  const { screen } = before;
  const isShown = screen.name === 'refund' && screen.key === key;
  const refunds = refundsAfter(before.refunds, key, failure, isShown);
  const state = { ...before, refunds };
  if (!isShown) {
    const refund = before.refunds.find((each) => each.key === key);
    return notRefundedElsewhere(state, refund, failure);
  }
  return fail(state, failure, (refused) => {
    if (failure.kind === 'doubt') {
      const doubt = { ...screen, step: 'doubt', reason: failure.text } as const;
      return stay({ ...refused, screen: doubt }, { do: 'refresh' });
    }
    const field = rejectedAmount(amountIn(screen.amount ?? 0), failure.text);
    return stay({ ...refused, screen: { name: 'refund', of: screen.of, field, step: 'typing' } });
  });
}

/** Handles the failure of a refund whose screen the cashier has left. */
function notRefundedElsewhere(
  state: TillState,
  refund: TillRefund | undefined,
  { kind, text }: TillFailure,
): Step {
  if (kind === 'away') return stay({ ...state, away: text });
  const names = namesOf(refund);
  if (kind === 'doubt') {
    const doubt = { ...attention('refund in doubt'), symbol: '?' };
    return stay(sayOfOther(state, doubt, ...names), { do: 'bell' }, { do: 'refresh' });
  }
  const line = { ...attention('not returned'), symbol: '✗' };
  return stay(sayOfOther(state, line, ...names, text), { do: 'bell' });
}

function refundsAfter(
  refunds: readonly TillRefund[],
  key: string,
  { kind }: TillFailure,
  isShown: boolean,
): readonly TillRefund[] {
  return refunds.flatMap((each) => {
    if (each.key !== key) return [each];
    if (kind === 'doubt') return [{ ...each, step: 'doubt', isInDoubt: true }];
    const waits = kind === 'away' || (kind === 'signed_out' && isShown);
    return waits ? [{ ...each, step: 'waiting' }] : leftOf(each);
  });
}

/** Returns the refund if an earlier request left it in doubt. Otherwise, it was not made and is dropped. */
function leftOf(refund: TillRefund): readonly TillRefund[] {
  return refund.isInDoubt ? [{ ...refund, step: 'doubt' }] : [];
}

/** Drops the refund on the screen if it is waiting for a sign-in. */
export function withoutWaiting(state: TillState): TillState {
  const { screen, refunds } = state;
  if (screen.name !== 'refund') return state;
  const isIt = ({ key, step }: TillRefund) => key === screen.key && step === 'waiting';
  return { ...state, refunds: refunds.flatMap((each) => (isIt(each) ? leftOf(each) : [each])) };
}
