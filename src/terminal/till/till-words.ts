import { escapeForeign } from '../../base/foreign-text.js';
import { columnsOf, firstColumns } from '../../base/text-columns.js';
import { formatTimeLeft } from '../../words/formats.js';
import { formatTenge } from '../formats.js';
import type { StatusLine } from '../payment/payment-card.js';
import { attention, describeStatus, overtime, titles } from '../payment/payment-words.js';
import type {
  OtherNotice,
  Returnable,
  SigningIn,
  TillPayment,
  TillScreen,
  TillState,
} from './till-types.js';

/** A key and its effect. */
export interface KeyHelp {
  readonly key: string;
  readonly does: string;
}

const esc: KeyHelp = { key: 'Esc', does: 'back' };
const enterDoes = (does: string): KeyHelp => ({ key: 'Enter', does });
const leave: KeyHelp = { key: 'Ctrl+C', does: 'leave' };
const menu: readonly KeyHelp[] = [
  { key: 'i', does: 'invoice' },
  { key: 'r', does: 'refund' },
  { key: 'h', does: 'history' },
  { key: 't', does: 'today' },
];
const help: KeyHelp = { key: '?', does: 'keys' };

/** Returns the keys of the screen, the most useful first. */
export function keysOf(state: TillState): readonly KeyHelp[] {
  if (state.signingIn) return signInKeys(state.signingIn);
  return [...screenKeys(state, state.screen), leave];
}

function signInKeys({ step, processId }: SigningIn): readonly KeyHelp[] {
  const words = { phone: 'sends a code', code: 'signs in', sending: '', checking: '' }[step];
  const enter =
    words === '' ? [] : [enterDoes(processId && step === 'phone' ? 'sends a new code' : words)];
  return [...enter, esc, leave];
}

function screenKeys(state: TillState, screen: TillScreen): readonly KeyHelp[] {
  const { length } = state.open;
  const open = length > 0 ? [{ key: 'o', does: `open ${length}` }] : [];
  switch (screen.name) {
    case 'amount':
      return [enterDoes('code'), ...menu, ...open, help];
    case 'result':
      return [enterDoes('next sale'), ...menu, ...open, help];
    case 'doubt':
      return [enterDoes(screen.sale.type === 'qr' ? 'creates a new code' : 'asks again'), esc];
    case 'payment': {
      const payment = state.open.find(({ key }) => key === screen.key);
      const cancel = payment?.type === 'invoice' ? [{ key: 'c', does: 'cancels it' }] : [];
      const signIn = state.staysOut ? [{ key: 's', does: 'signs in' }] : [];
      return [...cancel, ...signIn, { key: 'Esc', does: 'next sale, this stays open' }];
    }
    case 'open':
      return [{ key: '↑↓', does: 'select' }, enterDoes('shows it'), esc];
    case 'phone':
      return screen.asked ? [esc] : [enterDoes('looks up the client'), esc];
    case 'invoice':
      return [enterDoes('sends the invoice'), esc];
    case 'refunds':
      return [{ key: '↑↓', does: 'select' }, enterDoes('refunds it'), esc];
    case 'refund':
      return refundKeys(screen);
    case 'history':
      return [{ key: '↑↓', does: 'scroll' }, esc];
    default:
      return [esc];
  }
}

function refundKeys({ step }: Extract<TillScreen, { name: 'refund' }>): readonly KeyHelp[] {
  if (step === 'returned') return [enterDoes('next sale')];
  if (step === 'returning') return [esc];
  return [{ key: 'y', does: step === 'doubt' ? 'asks again' : 'returns the money' }, esc];
}

/** Returns as many keys as fit into a line, always including the help key of the screen. */
export function fitKeys(keys: readonly KeyHelp[], columns: number): readonly KeyHelp[] {
  const width = ({ key, does }: KeyHelp) => columnsOf(`${key} ${does}`) + gap;
  let left = columns + gap - (keys.includes(help) ? width(help) : 0);
  return keys.filter((each) => {
    if (each === help) return true;
    if (width(each) > left) return false;
    left -= width(each);
    return true;
  });
}

/** Columns between two keys. */
export const gap = 2;

/** All keys, for the help screen. */
export const allKeys: readonly KeyHelp[] = [
  { key: '0–9 ,', does: 'an amount; Enter shows its code' },
  { key: 'Backspace', does: 'deletes the last digit, Ctrl+U all' },
  { key: 'Esc', does: 'leaves a screen; a payment stays open' },
  { key: 'i', does: 'an invoice to a phone; c cancels it' },
  { key: 'r', does: 'refunds one of the last ten payments' },
  { key: 'h', does: 'the history of the shop' },
  { key: 't', does: 'the totals of today' },
  { key: 'o', does: 'open payments, all watched' },
  { key: 's', does: 'signs in' },
  { key: 'Ctrl+L', does: 'redraws the screen' },
  { key: 'Ctrl+C', does: 'leaves the till' },
];

/** Returns the status of an open payment, or its problem. */
export function statusOf(state: TillState, { key, card, ...payment }: TillPayment): StatusLine {
  const isOver = card.expiresAt !== undefined && state.now >= card.expiresAt;
  return state.troubles[key] ?? (isOver ? overtime : describeStatus(payment));
}

/** Returns the time left to pay, or the time since creation, as `2:31`. */
export function timeOf({ now }: TillState, { card }: TillPayment): string {
  const { expiresAt, createdAt } = card;
  return formatTimeLeft(expiresAt === undefined ? now - createdAt : expiresAt - now);
}

/** Returns an open payment as a line: `○ 1 500 ₸  2:31  invoice`. */
export function openLine(state: TillState, payment: TillPayment): string {
  const { symbol } = statusOf(state, payment);
  const { clientName, clientPhone } = payment.card;
  const what = payment.type === 'qr' ? 'code' : `invoice ${clientName ?? clientPhone ?? ''}`;
  return `${symbol} ${formatTenge(payment.card.amount)}  ${timeOf(state, payment)}  ${what}`.trimEnd();
}

/** Returns the result of a payment: `✓ PAID`. */
export function endLine({ kind }: TillPayment): StatusLine {
  const { symbol, title } = titles[kind];
  return { tone: kind === 'success' ? 'busy' : 'attention', symbol, text: title };
}

/** Returns the result of a payment with its amount, for a list: `✓ 1 500 ₸  PAID`. */
export function endLineOf({ kind, card }: TillPayment): string {
  const { symbol, title } = titles[kind];
  return `${symbol} ${formatTenge(card.amount)}  ${title}`;
}

/** A line in parts; only the symbol is coloured. */
export interface NoticeLine extends Pick<StatusLine, 'tone' | 'symbol'> {
  readonly before: string;
  readonly after: string;
}

/**
 * Returns the notice as a line of at most `columns` columns. A notice about another payment says so and loses its details
 * first. Undefined if there is no notice or no room for it.
 */
export function noticeLine(
  notice: StatusLine | OtherNotice | undefined,
  columns: number,
): NoticeLine | undefined {
  if (!notice) return undefined;
  const { tone, symbol } = notice;
  const text = escapeForeign(notice.text);
  if (!('since' in notice)) {
    return { tone, symbol, before: '', after: ` ${cut(text, columns - 2)}` };
  }
  const before = 'another payment: ';
  let after = ` ${text}`;
  let room = columns - columnsOf(before + symbol + after);
  if (room < 0) return undefined;
  for (const detail of notice.details.map(escapeForeign)) {
    room -= columnsOf(detail) + gap;
    if (room < 0) break;
    after += `  ${detail}`;
  }
  return { tone, symbol, before, after };
}

/** Returns the line for notices on screens without an open payment. The number of requests in doubt comes last. */
export function frameNotice(
  { notice, away, inDoubt = 0 }: TillState,
  doubtsCommand: string,
): TillState['notice'] {
  if (notice) return notice;
  if (away !== undefined) return attention(`${away} Retrying.`);
  if (inDoubt === 0) return undefined;
  return { ...attention(doubtsText(inDoubt, doubtsCommand)), symbol: '?' };
}

/** Returns the number of requests in doubt and the command that lists them. */
export function doubtsText(count: number, command: string): string {
  return `${count} in doubt: ${command}`;
}

/** Returns marks for a payment's refunds without an outcome: `◐ 500 ₸`, or `? 500 ₸` in doubt. */
export function refundMarks({ refunds }: TillState, { id }: Returnable): readonly string[] {
  return refunds
    .filter(({ of }) => of.id === id)
    .map(({ step, amount }) => `${step === 'doubt' ? '?' : '◐'} ${formatTenge(amount)}`);
}

/** Returns sentences about a payment's refunds without an outcome. */
export function refundSentences(state: TillState, of: Returnable): readonly string[] {
  return refundMarks(state, of).map((mark) => {
    const [what, again] = mark.startsWith('?')
      ? ['in doubt', 'returning this amount again repeats the same refund.']
      : ['being returned', 'returning this amount again waits for it.'];
    return `${mark} ${what}: ${again}`;
  });
}

/** Shortens text to a number of columns. */
export function cut(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  return columns < 1 ? '' : `${firstColumns(text, columns - 1)}…`;
}

/** A mark on every screen if the provider only simulates payments. */
export const sandboxMark = 'SANDBOX';

/** Returns the ends of the top line: the shop and the cashier, and the state of the connection. */
export function barOf(
  { shop, isSandbox, away, signingIn }: TillState,
  {
    cashier,
    at,
    columns,
  }: { readonly cashier: string; readonly at: string; readonly columns: number },
): readonly [string, string] {
  const state = away === undefined ? 'connected' : '! no answer';
  const right = columns < 60 ? (away === undefined ? '' : state) : `${at} · ${state}`;
  const nobody = signingIn ? 'signing in' : 'nobody signed in';
  const who = [shop, cashier].filter(Boolean).join(' · ') || nobody;
  const left = isSandbox ? `${sandboxMark} · ${who}` : who;
  return [cut(left, columns - columnsOf(right) - 1), cut(right, columns)];
}
