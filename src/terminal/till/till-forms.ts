import { amountField, editField, emptyField, phoneField, refusedAmount } from './till-field.js';
import type { TillKey } from './till-keys.js';
import { ask, faultOf, go, home, nextKey, stay, warn } from './till-steps.js';
import type { EventOf, ScreenOf, Step, TillRules, TillState } from './till-types.js';

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
  if (edited === screen.field) return stay(warn(state, 'The pasted text is not a phone number.'));
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
    return stay(warn(state, 'The pasted text is not an amount and was ignored.'));
  if (edited) return go(state, { ...screen, field: edited });
  if (key.name !== 'enter' || field.text === '') return stay(state);
  const read = faultOf(rules.readAmount, field.text);
  if ('fault' in read) return go(state, { ...screen, field: refusedAmount(field, read.fault) });
  const [saleKey, next] = nextKey(state);
  return ask(next, { key: saleKey, type: 'invoice', amount: read.value, client });
}
