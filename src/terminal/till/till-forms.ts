import { formatTenge } from '../formats.js';
import {
  amountField,
  amountIn,
  editField,
  emptyField,
  phoneField,
  refusedAmount,
} from './till-field.js';
import type { TillKey } from './till-keys.js';
import { moved } from './till-sale.js';
import { ask, fail, faultOf, go, home, nextKey, stay, warn } from './till-steps.js';
import type { Step, TillEvent, TillRules, TillScreen, TillState } from './till-types.js';

type ScreenOf<Name extends TillScreen['name']> = Extract<TillScreen, { name: Name }>;
type EventOf<Name extends TillEvent['on']> = Extract<TillEvent, { on: Name }>;

/** A key while the phone of an invoice is typed. */
export function atPhone(
  state: TillState,
  screen: ScreenOf<'phone'>,
  key: TillKey,
  rules: TillRules,
): Step {
  if (key.name === 'escape') return home(state);
  if (screen.asked !== undefined) return stay(state);
  const edited = editField(screen.field, key, phoneField);
  if (edited === screen.field) return stay(warn(state, 'What was pasted is no phone number.'));
  if (edited) return go(state, { name: 'phone', field: edited });
  if (key.name !== 'enter' || screen.field.text === '') return stay(state);
  const read = faultOf(rules.readPhone, screen.field.text);
  if ('fault' in read) return go(state, { ...screen, field: { ...screen.field, ...read } });
  const asked = read.value;
  return go(state, { ...screen, asked }, { do: 'find_client', phone: asked });
}

/** Whose phone it is: the amount is next. */
export function clientFound(state: TillState, { client }: EventOf<'client'>): Step {
  const { screen } = state;
  if (screen.name !== 'phone' || screen.asked !== client.phone) return stay(state);
  return go(state, { name: 'invoice', client, field: emptyField });
}

/** A key while the amount of an invoice is typed. Enter sends it. */
export function atInvoice(
  state: TillState,
  screen: ScreenOf<'invoice'>,
  key: TillKey,
  rules: TillRules,
): Step {
  const { field, client } = screen;
  if (key.name === 'escape') return home(state);
  const edited = editField(field, key, amountField);
  if (edited === field)
    return stay(warn(state, 'What was pasted is no amount, so it was dropped.'));
  if (edited) return go(state, { ...screen, field: edited });
  if (key.name !== 'enter' || field.text === '') return stay(state);
  const read = faultOf(rules.readAmount, field.text);
  if ('fault' in read) return go(state, { ...screen, field: refusedAmount(field, read.fault) });
  const [saleKey, next] = nextKey(state);
  return ask(next, { key: saleKey, type: 'invoice', amount: read.value, client });
}

/** A key in the list of what can be returned. */
export function inReturnable(state: TillState, screen: ScreenOf<'refunds'>, key: TillKey): Step {
  const { rows, selected } = screen;
  if (key.name === 'escape') return home(state);
  if (!rows) return stay(state);
  const of = rows[selected];
  if (key.name === 'enter' && of) {
    return go(state, { name: 'refund', of, field: amountIn(of.left), step: 'typing' });
  }
  return key.name === 'enter'
    ? home(state)
    : go(state, { ...screen, selected: moved(selected, key, rows.length) });
}

/** A key at a refund: the amount may be changed, `y` returns it. */
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
    // The same key returns the money once, however often it is asked for.
    return isYes ? give(state, screen, screen.amount ?? 0, screen.key) : stay(state);
  }
  if (isYes) return confirmed(state, screen, rules);
  if (key.name === 'enter') return stay(warn(state, 'Press y to return the money.'));
  const field = editField(screen.field, key, amountField);
  if (field === screen.field)
    return stay(warn(state, 'What was pasted is no amount, so it was dropped.'));
  return field ? go(state, { ...screen, field }) : stay(state);
}

function leaveRefund(state: TillState, { step, amount = 0, of }: ScreenOf<'refund'>): Step {
  if (step !== 'returning') return home(state);
  return home(warn(state, `${formatTenge(amount)} of payment ${of.id} are still being returned.`));
}

function confirmed(state: TillState, screen: ScreenOf<'refund'>, rules: TillRules): Step {
  const { of, field } = screen;
  const refuse = (fault: string) => go(state, { ...screen, field: refusedAmount(field, fault) });
  const read = faultOf(rules.readAmount, field.text);
  if ('fault' in read) return refuse(read.fault);
  if (read.value > of.left) return refuse(`Only ${formatTenge(of.left)} can be returned.`);
  return give(state, screen, read.value, undefined);
}

function give(
  before: TillState,
  screen: ScreenOf<'refund'>,
  amount: number,
  known: string | undefined,
): Step {
  const [key, state] = known === undefined ? nextKey(before) : ([known, before] as const);
  const { of, field } = screen;
  return go(
    state,
    { name: 'refund', of, field, step: 'returning', key, amount },
    { do: 'refund', id: of.id, amount, key },
  );
}

export function refunded(state: TillState, { key, left, note }: EventOf<'refunded'>): Step {
  const { screen } = state;
  const said = note === undefined ? state : warn(state, note);
  if (screen.name === 'refund' && screen.key === key) {
    return stay({ ...said, screen: { ...screen, step: 'returned', left } });
  }
  return stay(warn(state, note ?? 'The money was returned.'), { do: 'bell' });
}

export function notRefunded(state: TillState, { key, failure }: EventOf<'not_refunded'>): Step {
  const { screen } = state;
  if (screen.name !== 'refund' || screen.key !== key) {
    return stay(warn(state, `The refund: ${failure.text}`), { do: 'bell' });
  }
  return fail(state, failure, (refused) =>
    failure.kind === 'doubt'
      ? stay(warn({ ...refused, screen: { ...screen, step: 'doubt' } }, failure.text))
      : stay({
          ...refused,
          screen: {
            name: 'refund',
            of: screen.of,
            field: refusedAmount(screen.field, failure.text),
            step: 'typing',
          },
        }),
  );
}
