import { formatTenge } from '../formats.js';
import type { StatusLine } from '../payment/payment-card.js';
import { attention, cancelling } from '../payment/payment-words.js';
import {
  amountField,
  amountIn,
  editField,
  emptyField,
  phoneField,
  rejectedAmount,
} from './till-keys.js';
import {
  ask,
  askToSignIn,
  fail,
  faultOf,
  go,
  home,
  nextKey,
  sayOfOther,
  stay,
  warn,
} from './till-steps.js';
import type {
  EventOf,
  Field,
  Sale,
  ScreenOf,
  Step,
  TillKey,
  TillPayment,
  TillRules,
  TillScreen,
  TillState,
} from './till-types.js';
import { endLine } from './till-words.js';

/** Maximum number of results that the till keeps. */
const maxEnded = 20;
/** Maximum number of sales in doubt that the till keeps. */
const maxDoubts = 20;

/** Commands by letter. */
const commands: Readonly<Record<string, (state: TillState) => Step>> = {
  i: (state) => go(state, { name: 'phone', field: emptyField }),
  r: (state) =>
    go(state, { name: 'refunds', rows: undefined, selected: 0 }, { do: 'list_returnable' }),
  h: (state) => go(state, { name: 'history', rows: undefined, top: 0 }, { do: 'list_history' }),
  t: (state) => go(state, { name: 'totals', totals: undefined }, { do: 'add_up' }),
  o: (state) => go(state, { name: 'open', selected: 0 }),
  s: (state) => askToSignIn({ ...state, staysOut: false }),
  '?': (state) => go(state, { name: 'keys' }),
  '/': (state) => go(state, { name: 'keys' }),
};

/** Handles a key on the amount screen. */
export function atAmount(
  state: TillState,
  { field }: ScreenOf<'amount'>,
  key: TillKey,
  rules: TillRules,
): Step {
  const edited = editField(field, key, amountField);
  if (edited === field)
    return stay(warn(state, 'The pasted text is not an amount and was ignored.'));
  if (edited) return home(state, edited);
  if (key.name === 'char') return commands[key.char]?.(state) ?? stay(state);
  if (key.name !== 'enter' || field.text === '') return stay(state);
  const read = faultOf(rules.readAmount, field.text);
  if ('fault' in read) return home(state, rejectedAmount(field, read.fault));
  return askForCode(state, read.value);
}

function askForCode(before: TillState, amount: number): Step {
  const [key, state] = nextKey(before);
  return ask(state, { key, type: 'qr', amount });
}

/** Handles a key while a payment is being requested. */
export function whileAsking(state: TillState, { sale }: ScreenOf<'asking'>, key: TillKey): Step {
  if (key.name !== 'escape') return stay(state);
  const left = sale.type === 'qr' ? 'the code' : 'the invoice';
  return home(
    warn(state, `If it was created, ${left} for ${formatTenge(sale.amount)} is listed as open.`),
    fieldOf(sale),
  );
}

/** Returns the amount of a code, which was not shown, or an empty field for an invoice, which may have been sent. */
function fieldOf({ type, amount }: Sale): Field {
  return type === 'qr' ? amountIn(amount) : emptyField;
}

/** Handles a key on the screen of a payment in doubt. */
export function inDoubt(state: TillState, { sale }: ScreenOf<'doubt'>, key: TillKey): Step {
  if (key.name === 'escape') return home(state, fieldOf(sale));
  if (key.name !== 'enter') return stay(state);
  // Nobody can pay a code that was not shown, so it is requested under a new key. An invoice keeps its key.
  return sale.type === 'qr' ? askForCode(state, sale.amount) : ask(state, sale);
}

/** Handles a key on the screen of an open payment. */
export function atPayment(
  state: TillState,
  { key: name }: ScreenOf<'payment'>,
  key: TillKey,
): Step {
  const payment = state.open.find((each) => each.key === name);
  if (key.name === 'escape' || !payment) {
    const left = `Payment ${payment?.card.id ?? ''} stays open. The till will report its outcome.`;
    return home(payment ? warn(state, left) : state);
  }
  if (key.name !== 'char') return stay(state);
  if (key.char === 's') return askToSignIn({ ...state, staysOut: false });
  if (key.char !== 'c' || payment.type !== 'invoice' || state.troubles[name] === cancelling) {
    return stay(state);
  }
  return stay(withTrouble(state, name, cancelling), { do: 'cancel', payment });
}

/** Handles a key on the result screen. Typing an amount starts the next sale. */
export function atResult(state: TillState, key: TillKey): Step {
  if (key.name === 'enter' || key.name === 'escape') return home(state);
  const field = key.name === 'char' ? editField(emptyField, key, amountField) : undefined;
  if (field) return home(state, field);
  return key.name === 'char' ? (commands[key.char]?.(state) ?? stay(state)) : stay(state);
}

/** Handles a key in the list of open payments. */
export function inOpenList(state: TillState, { selected }: ScreenOf<'open'>, key: TillKey): Step {
  const chosen = state.open[selected];
  if (key.name === 'enter' && chosen) return go(state, { name: 'payment', key: chosen.key });
  if (key.name === 'escape' || key.name === 'enter') return home(state);
  return go(state, { name: 'open', selected: moved(selected, key, state.open.length) });
}

/** Returns the selected row after a key: arrows move the selection, and a digit selects a row (0 is the tenth). */
export function moved(selected: number, key: TillKey, count: number): number {
  const digit =
    key.name === 'char' && /^\d$/.test(key.char) ? (Number(key.char) + 9) % 10 : undefined;
  const step = { up: selected - 1, down: selected + 1 }[key.name as 'up' | 'down'];
  return Math.max(0, Math.min(count - 1, digit ?? step ?? selected));
}

/** Handles a created payment. If the cashier has left its screen, it is only added to the open payments. */
export function made(before: TillState, { sale, payment }: EventOf<'made'>): Step {
  const { screen } = before;
  const state = { ...before, doubts: before.doubts.filter(({ key }) => key !== sale.key) };
  if ([...state.open, ...state.ended].some(({ key }) => key === payment.key)) {
    return isAskedFor(screen, sale) ? home(state) : stay(state);
  }
  const opened = { ...state, open: [payment, ...state.open] };
  const watch = { do: 'watch', payments: [payment] } as const;
  if (isAskedFor(screen, sale)) return go(opened, { name: 'payment', key: payment.key }, watch);
  const line = { tone: 'waiting', symbol: '○', text: 'open' } as const;
  return stay(sayOfOther(opened, line, ...namesOf(payment)), watch);
}

function isAskedFor(screen: TillScreen, { key }: Sale): boolean {
  return (screen.name === 'asking' || screen.name === 'doubt') && screen.sale.key === key;
}

/** Handles a payment that was not created or is in doubt. */
export function notMade(state: TillState, { sale, failure }: EventOf<'not_made'>): Step {
  const isShown = state.screen.name === 'asking' && isAskedFor(state.screen, sale);
  if (failure.kind === 'doubt') return doubted(state, sale, failure.text, isShown);
  if (!isShown) return stay(state);
  return fail(state, failure, (after) => home(warn(after, failure.text), fieldOf(sale)));
}

function doubted(before: TillState, sale: Sale, reason: string, isShown: boolean): Step {
  const others = before.doubts.filter(({ key }) => key !== sale.key);
  const state = { ...before, doubts: [sale, ...others].slice(0, maxDoubts) };
  const count = { do: 'refresh' } as const;
  if (isShown) return go(state, { name: 'doubt', sale, reason }, count);
  const line = { ...attention('in doubt'), symbol: '?' };
  return stay(sayOfOther(state, line, formatTenge(sale.amount)), count);
}

/** Handles a change to a payment, including its end. */
export function changed(state: TillState, { payment }: EventOf<'changed'>): Step {
  const known = state.open.find(({ key }) => key === payment.key);
  if (!known) return stay(state);
  const seen = { ...payment, card: { ...payment.card, ...extrasOf(known) } };
  if (seen.isOpen) {
    return stay({ ...state, open: state.open.map((each) => (each === known ? seen : each)) });
  }
  const { [seen.key]: _, ...troubles } = state.troubles;
  const open = state.open.filter((each) => each !== known);
  const after = { ...state, open, troubles, ended: [seen, ...state.ended].slice(0, maxEnded) };
  const { screen } = state;
  if (screen.name === 'payment' && screen.key === seen.key) {
    return stay({ ...after, screen: { name: 'result', payment: seen } }, { do: 'bell' });
  }
  return stay(sayOfOther(after, endLine(seen), ...namesOf(seen)), { do: 'bell' });
}

function namesOf({ card: { id, amount } }: TillPayment): readonly string[] {
  return [formatTenge(amount), `payment ${id}`];
}

/** Returns the details of a payment that only the till has. */
function extrasOf({ card: { orgName, clientName } }: TillPayment) {
  return { orgName, clientName };
}

export function withTrouble(
  state: TillState,
  key: string,
  line: StatusLine | undefined,
): TillState {
  const { [key]: _, ...others } = state.troubles;
  return { ...state, troubles: line ? { ...others, [key]: line } : others };
}

/** Handles a key on the phone screen of an invoice. */
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

/** Continues with the amount of an invoice after the customer was found. */
export function clientFound(state: TillState, { client }: EventOf<'client'>): Step {
  const { screen } = state;
  if (screen.name !== 'phone' || screen.asked !== client.phone) return stay(state);
  return go(state, { name: 'invoice', client, field: emptyField });
}

/** Handles a key on the amount screen of an invoice. Enter sends the invoice. */
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
  if ('fault' in read) return go(state, { ...screen, field: rejectedAmount(field, read.fault) });
  const [saleKey, next] = nextKey(state);
  return ask(next, { key: saleKey, type: 'invoice', amount: read.value, client });
}
