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
const leave: KeyHelp = { key: 'Ctrl+C', does: 'quit' };
const menu: readonly KeyHelp[] = [
  { key: 'i', does: 'invoice' },
  { key: 'r', does: 'refund' },
  { key: 'h', does: 'history' },
  { key: 't', does: 'today' },
];
const help: KeyHelp = { key: '?', does: 'keys' };

/** Returns the keys of the screen, most useful first. */
export function keysOf(state: TillState): readonly KeyHelp[] {
  if (state.signingIn) return signInKeys(state.signingIn);
  return [...screenKeys(state, state.screen), leave];
}

function signInKeys({ step, processId }: SigningIn): readonly KeyHelp[] {
  const words = { phone: 'send a code', code: 'sign in', sending: '', checking: '' }[step];
  const enter =
    words === '' ? [] : [enterDoes(processId && step === 'phone' ? 'send a new code' : words)];
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
      return [
        enterDoes(screen.sale.type === 'qr' ? 'create a new code' : 'repeat the request'),
        esc,
      ];
    case 'payment': {
      const payment = state.open.find(({ key }) => key === screen.key);
      const cancel = payment?.type === 'invoice' ? [{ key: 'c', does: 'cancel' }] : [];
      const signIn = state.staysOut ? [{ key: 's', does: 'sign in' }] : [];
      return [...cancel, ...signIn, { key: 'Esc', does: 'next sale (this stays open)' }];
    }
    case 'open':
      return [{ key: '↑↓', does: 'select' }, enterDoes('open'), esc];
    case 'phone':
      return screen.asked ? [esc] : [enterDoes('look up the customer'), esc];
    case 'invoice':
      return [enterDoes('send the invoice'), esc];
    case 'refunds':
      return [{ key: '↑↓', does: 'select' }, enterDoes('refund'), esc];
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
  return [{ key: 'y', does: step === 'doubt' ? 'repeat the request' : 'return the money' }, esc];
}

/** Returns as many keys as fit on a line. The help key is always included. */
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

/** Space between two keys, in columns. */
export const gap = 2;

/** All keys, for the help screen. */
export const allKeys: readonly KeyHelp[] = [
  { key: '0–9 ,', does: 'enter an amount (Enter shows its code)' },
  { key: 'Backspace', does: 'delete the last digit (Ctrl+U: all)' },
  { key: 'Esc', does: 'leave a screen (payments stay open)' },
  { key: 'i', does: 'send an invoice (c cancels it)' },
  { key: 'r', does: 'refund one of the last ten payments' },
  { key: 'h', does: 'show the shop’s history' },
  { key: 't', does: 'show today’s totals' },
  { key: 'o', does: 'show open payments' },
  { key: 's', does: 'sign in' },
  { key: 'Ctrl+L', does: 'redraw the screen' },
  { key: 'Ctrl+C', does: 'quit the till' },
];

/** Returns the status of an open payment, or its problem. */
export function statusOf(state: TillState, { key, card, ...payment }: TillPayment): StatusLine {
  const hasExpired = card.expiresAt !== undefined && state.now >= card.expiresAt;
  return state.troubles[key] ?? (hasExpired ? overtime : describeStatus(payment));
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
  const kind = payment.type === 'qr' ? 'code' : `invoice ${clientName ?? clientPhone ?? ''}`;
  return `${symbol} ${formatTenge(payment.card.amount)}  ${timeOf(state, payment)}  ${kind}`.trimEnd();
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

/** The parts of a notice. Only the symbol is coloured. */
export interface NoticeLine extends Pick<StatusLine, 'tone' | 'symbol'> {
  readonly before: string;
  readonly after: string;
}

/**
 * Returns the notice as a line of at most `columns` columns. A notice about a different payment begins with `another
 * payment:`, and its details are omitted first. Returns undefined if there is no notice or no space for it.
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

/** Returns the most important notice for screens without an open payment. */
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

/** Returns marks for a payment's refunds that have no outcome yet: `◐ 500 ₸`, or `? 500 ₸` if in doubt. */
export function refundMarks({ refunds }: TillState, { id }: Returnable): readonly string[] {
  return refunds
    .filter(({ of }) => of.id === id)
    .map(({ step, amount }) => `${step === 'doubt' ? '?' : '◐'} ${formatTenge(amount)}`);
}

/** Returns sentences about a payment's refunds that have no outcome yet. */
export function refundSentences(state: TillState, of: Returnable): readonly string[] {
  return refundMarks(state, of).map((mark) => {
    return mark.startsWith('?')
      ? `${mark} is in doubt. Returning this amount again repeats the same refund.`
      : `${mark} is being returned. Returning this amount again waits for this refund.`;
  });
}

/** Shortens text to a number of columns. */
export function cut(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  return columns < 1 ? '' : `${firstColumns(text, columns - 1)}…`;
}

/** Shown on every screen if the provider only simulates payments. */
export const sandboxMark = 'SANDBOX';

/** Returns the left and the right end of the top line: the shop and the cashier, and the state of the connection. */
export function barOf(
  { shop, isSandbox, away, signingIn }: TillState,
  {
    cashier,
    at,
    columns,
  }: { readonly cashier: string; readonly at: string; readonly columns: number },
): readonly [string, string] {
  const state = away === undefined ? 'connected' : '! no response';
  const right = columns < 60 ? (away === undefined ? '' : state) : `${at} · ${state}`;
  const nobody = signingIn ? 'signing in' : 'not signed in';
  const who = [shop, cashier].filter(Boolean).join(' · ') || nobody;
  const left = isSandbox ? `${sandboxMark} · ${who}` : who;
  return [cut(left, columns - columnsOf(right) - 1), cut(right, columns)];
}
