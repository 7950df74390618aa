import { attention, noAnswer, noGateway } from '../payment/payment-words.js';
import { keyOf } from './till-keys.js';
import { atRefund, inReturnable, notRefunded, refunded, returnableCame } from './till-refund.js';
import {
  atAmount,
  atInvoice,
  atPayment,
  atPhone,
  atResult,
  changed,
  clientFound,
  inDoubt,
  inOpenList,
  made,
  notMade,
  whileAsking,
  withTrouble,
} from './till-sale.js';
import { atSignIn, codeSent, notSignedIn, signedIn } from './till-sign-in.js';
import {
  askToSignIn,
  awaited,
  fail,
  home,
  resume,
  sayOfOther,
  stay,
  warn,
  withoutOldNotice,
} from './till-steps.js';
import type { Step, TillEvent, TillFailure, TillKey, TillRules, TillState } from './till-types.js';

/** Returns the state after an event and the effects to run. */
export type UpdateTill = (state: TillState, event: TillEvent) => Step;

/** Creates the till's pure state machine. */
export function createTillUpdate(rules: TillRules): UpdateTill {
  function pressed(before: TillState, key: TillKey): Step {
    if (key.name === 'interrupt') return stay(before, { do: 'leave' });
    const state = { ...before, notice: undefined };
    if (state.signingIn) return atSignIn(state, state.signingIn, key, rules);
    const { screen } = state;
    switch (screen.name) {
      case 'amount':
        return atAmount(state, screen, key, rules);
      case 'asking':
        return whileAsking(state, screen, key);
      case 'doubt':
        return inDoubt(state, screen, key);
      case 'payment':
        return atPayment(state, screen, key);
      case 'result':
        return atResult(state, key);
      case 'open':
        return inOpenList(state, screen, key);
      case 'phone':
        return atPhone(state, screen, key, rules);
      case 'invoice':
        return atInvoice(state, screen, key, rules);
      case 'refunds':
        return inReturnable(state, screen, key);
      case 'refund':
        return atRefund(state, screen, key, rules);
      case 'history':
        return inHistory(state, key);
      default:
        return key.name === 'escape' || key.name === 'enter' ? home(state) : stay(state);
    }
  }

  /** Handles a line as a sequence of keys. */
  function typed(state: TillState, text: string): Step {
    let step = stay(state);
    for (const key of keysOfLine(state, text)) {
      const next = pressed(step.state, key);
      step = stay(next.state, ...step.effects, ...next.effects);
      // If a part of the line is rejected, the rest is ignored.
      if (next.state.notice) break;
    }
    return step;
  }

  return function update(before, event) {
    const { now, moment } = event.on === 'tick' ? event : before;
    const state = withoutOldNotice({ ...before, now, moment });
    switch (event.on) {
      case 'key':
        return pressed(state, event.key);
      case 'line':
        return typed(state, event.text);
      case 'tick':
        return stay(state);
      case 'connection':
        return connection(state, event.away);
      case 'opened':
        return opened(state, event);
      case 'made':
        return made(state, event);
      case 'not_made':
        return notMade(state, event);
      case 'changed':
        return changed(state, event);
      case 'polled':
        return polled(state, event.key, event.failure);
      case 'not_cancelled':
        return notCancelled(state, event);
      case 'client':
        return clientFound(state, event);
      case 'returnable':
        return returnableCame(state, event);
      case 'refunded':
        return refunded(state, event);
      case 'not_refunded':
        return notRefunded(state, event);
      case 'history':
        return arrived(state, 'history', { rows: event.rows });
      case 'totals':
        return arrived(state, 'totals', { totals: event.totals });
      case 'refreshed':
        return stay({ ...state, inDoubt: event.inDoubt, isSandbox: event.isSandbox });
      case 'failed':
        return failed(state, event.failure);
      case 'signed_out':
        return askToSignIn(state);
      case 'code_sent':
        return codeSent(state, event);
      case 'not_signed_in':
        return notSignedIn(state, event);
      case 'signed_in':
        return signedIn(state, event);
    }
  };
}

function inHistory(state: TillState, key: TillKey): Step {
  const { screen } = state;
  if (key.name === 'escape' || key.name === 'enter') return home(state);
  if (screen.name !== 'history' || (key.name !== 'up' && key.name !== 'down')) return stay(state);
  const top = screen.top + (key.name === 'up' ? -1 : 1);
  const last = Math.max(0, (screen.rows?.length ?? 0) - 1);
  return stay({ ...state, screen: { ...screen, top: Math.max(0, Math.min(last, top)) } });
}

/** Adds data to the screen that waits for it, unless the cashier has left the screen. */
function arrived(state: TillState, name: 'history' | 'totals', found: object): Step {
  if (state.screen.name !== name) return stay(state);
  return stay({ ...state, screen: { ...state.screen, ...found } });
}

/** Handles a change of the connection. When it is restored, waiting requests are repeated under the same keys. */
function connection(before: TillState, away: string | undefined): Step {
  const state = { ...before, away };
  const isBack = away === undefined && before.away !== undefined;
  if (!isBack || state.signingIn) return stay(state);
  return resume(state);
}

function opened(state: TillState, { payments }: Extract<TillEvent, { on: 'opened' }>): Step {
  const known = new Set([...state.open, ...state.ended].map(({ key }) => key));
  const fresh = payments.filter(({ key, isOpen }) => isOpen && !known.has(key));
  if (fresh.length === 0) return stay(state);
  return stay({ ...state, open: [...state.open, ...fresh] }, { do: 'watch', payments: fresh });
}

function polled(state: TillState, key: string, failure: TillFailure | undefined): Step {
  if (!state.open.some((payment) => payment.key === key)) return stay(state);
  if (failure?.kind === 'signed_out') {
    const line = attention('The session has ended. Press s to sign in again.');
    const shown = withTrouble(state, key, line);
    return state.staysOut ? stay(shown) : askToSignIn(shown);
  }
  if (failure?.kind !== 'away') return stay(withTrouble(state, key, failure && noAnswer));
  return stay({ ...withTrouble(state, key, noGateway), away: failure.text });
}

function notCancelled(
  state: TillState,
  { key, failure }: Extract<TillEvent, { on: 'not_cancelled' }>,
): Step {
  const free = withTrouble(state, key, undefined);
  return fail(free, failure, (refused) => {
    const { screen } = refused;
    if (screen.name === 'payment' && screen.key === key) return stay(warn(refused, failure.text));
    return stay(sayOfOther(refused, attention('not cancelled'), failure.text));
  });
}

/** Handles the failure of a request for which the screen waits. */
function failed(state: TillState, failure: TillFailure): Step {
  return fail(state, failure, (refused) => {
    const { screen } = refused;
    // The payment screen does not show failures of other screens.
    if (screen.name === 'payment') return stay(refused);
    if (awaited(screen).length === 0) return stay(warn(refused, failure.text));
    if (screen.name !== 'phone') return home(warn(refused, failure.text));
    const field = { ...screen.field, fault: failure.text };
    return stay({ ...refused, screen: { name: 'phone', field } });
  });
}

/**
 * Returns the keys for a line in plain mode. A letter is the key itself, `b` goes back, a number in a list selects its
 * row, and any other text fills the field and submits it.
 */
function keysOfLine(state: TillState, line: string): readonly TillKey[] {
  const text = line.trim().slice(0, 100);
  const enter = { name: 'enter' } as const;
  if (text === '') return [enter];
  if (/^[bи]$/i.test(text)) return [{ name: 'escape' }];
  const filled: readonly TillKey[] = [{ name: 'clear' }, { name: 'paste', text }];
  if (state.signingIn) return [...filled, enter];
  if (!/\d/.test(text)) {
    return [text.length === 1 ? { name: 'char', char: keyOf(text) } : { name: 'paste', text }];
  }
  switch (state.screen.name) {
    case 'open':
    case 'refunds':
      return rowKeys(text);
    case 'refund':
      return state.screen.step === 'returned' ? [enter, ...filled, enter] : filled;
    case 'result':
      return [enter, ...filled, enter];
    case 'amount':
    case 'phone':
    case 'invoice':
      return [...filled, enter];
    default:
      return [];
  }
}

/** Returns the keys that select a row. Rows are numbered from 1, and the key of the tenth row is 0. */
function rowKeys(text: string): readonly TillKey[] {
  if (!/^([1-9]|10)$/.test(text)) return [];
  return [{ name: 'char', char: text.slice(-1) }, { name: 'enter' }];
}
