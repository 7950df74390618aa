import { renderToString } from 'ink';
import { describe, expect, it } from 'vitest';
import { columnsOf } from '../../../src/base/text-columns.js';
import { readAmount } from '../../../src/payments/amount.js';
import { normalisePhone } from '../../../src/payments/phone.js';
import { TillView } from '../../../src/terminal/till/TillView.js';
import { createTillUpdate } from '../../../src/terminal/till/till-state.js';
import { openTill } from '../../../src/terminal/till/till-steps.js';
import type {
  SigningIn,
  TillEvent,
  TillPayment,
  TillState,
} from '../../../src/terminal/till/till-types.js';
import { now, payment, returnable, style } from './till-samples.js';

const update = createTillUpdate({ readAmount, readPhone: normalisePhone });

const longLink = `https://pay.example/qr/${'aBcDeFgHiJkLmNoP'.repeat(3)}`;
export const code = payment();
const longCode = payment({ card: { ...code.card, link: longLink } });
const invoice = payment({ type: 'invoice', key: '17-invoice-1795230000' });

/** Another open payment, which is not on the screen. */
export const other = payment({
  key: '17-qr-1795239999',
  card: { ...code.card, id: '1795239999', amount: 2911 },
});
const otherInvoice = payment({
  type: 'invoice',
  key: '17-invoice-1795238888',
  card: { ...invoice.card, id: '1795238888', amount: 2911 },
});
export const refund = {
  key: 'shift-7',
  of: { ...returnable('1795237777'), amount: 2911, left: 2911 },
  amount: 2911,
  step: 'asked',
  isInDoubt: false,
} as const;
export const sale = { key: 'shift-8', type: 'qr', amount: 2911 } as const;

export const ended = (kind: TillPayment['kind'], more: Partial<TillPayment> = {}): TillEvent => ({
  on: 'changed',
  payment: { ...other, isOpen: false, kind, endedAt: now, ...more },
});
const failure = (kind: 'refused' | 'doubt' | 'away' | 'signed_out') =>
  ({ kind, text: 'The bank says 2 911 ₸ and PAID.' }) as const;

/** Events that are not about the payment on the screen, and the notice for each. */
const events: readonly (readonly [string, TillEvent, RegExp | undefined])[] = [
  ['was paid', ended('success'), /✓ PAID/],
  ['is paid and returned', ended('returned'), /← RETURNED/],
  ['failed', ended('failed'), /✗ NOT PAID/],
  ['expires', ended('expired'), /! EXPIRED/],
  ['ends without a known outcome', ended('unknown'), /\? UNKNOWN/],
  ['changes its status', { on: 'changed', payment: { ...other, status: 'PAID' } }, undefined],
  [
    'is paid after it ended',
    ended('success', { key: '17-qr-1795231111', status: 'Processed' }),
    undefined,
  ],
  ['was made after all', { on: 'made', sale, payment: { ...other, key: 'x' } }, /○ open/],
  ['is in doubt', { on: 'not_made', sale, failure: failure('doubt') }, /\? in doubt/],
  ['is refused', { on: 'not_made', sale, failure: failure('refused') }, undefined],
  [
    'cannot be cancelled',
    { on: 'not_cancelled', key: otherInvoice.key, failure: failure('refused') },
    /! not cancelled/,
  ],
  ['could not be polled', { on: 'polled', key: other.key, failure: failure('refused') }, undefined],
  ['was polled', { on: 'polled', key: other.key, failure: undefined }, undefined],
  ['is refunded', { on: 'refunded', key: refund.key, left: 0, note: undefined }, /✓ Returned/],
  [
    'was refunded before',
    { on: 'refunded', key: refund.key, left: 0, note: '2 911 ₸ were RETURNED.' },
    /✓ Returned/,
  ],
  [
    'is not refunded',
    { on: 'not_refunded', key: refund.key, failure: failure('refused') },
    /✗ not returned/,
  ],
  [
    'has a refund in doubt',
    { on: 'not_refunded', key: refund.key, failure: failure('doubt') },
    /\? refund in doubt/,
  ],
  ['could not be listed', { on: 'failed', failure: failure('refused') }, undefined],
  [
    'waits for a refund',
    { on: 'not_refunded', key: refund.key, failure: failure('away') },
    undefined,
  ],
];

/** Window sizes, one for each layout of the screen. */
export const sizes = [
  ['a line above the code, with a free row', [40, 20]],
  ['a line above the code and nothing else', [33, 18]],
  ['words above the code', [45, 22]],
  ['words and the link beside the code, with a free row', [80, 24]],
  ['words and the link beside the code', [120, 40]],
  ['words beside the code', [70, 19]],
  ['words beside the code without a frame, with a free row', [70, 18]],
  ['few words beside the code', [51, 17]],
  ['the link instead of the code', [24, 12]],
  ['almost no space', [16, 6]],
] as const;

const signingIn: SigningIn = {
  step: 'code',
  field: { text: '1234' },
  phone: '77011234567',
  processId: 'p',
  said: 'A code was sent.',
};

export function stateOn(shown: TillPayment, more: Partial<TillState> = {}): TillState {
  return {
    ...openTill('shift', now),
    shop: 'Кофейня «Дала»',
    phone: '77011234567',
    open: [shown, other, otherInvoice],
    refunds: [refund],
    screen: { name: 'payment', key: shown.key },
    ...more,
  };
}

const away = 'The gateway is not responding.';
const scanned = payment({ status: 'QrTokenScanned' });
const overdue = payment({ card: { ...code.card, expiresAt: now - 1 } });
const few = events.slice(0, 1);

/** The states of the screen, and the events that happen in each. */
const shownStates: readonly (readonly [string, TillState, typeof events])[] = [
  ['a code', stateOn(code), events],
  ['an invoice', stateOn(invoice), events],
  ['a code with a long link', stateOn(longCode), few],
  ['a scanned code', stateOn(scanned), few],
  ['an expired code', stateOn(overdue), few],
  ['a code under a sign-in', stateOn(code, { signingIn }), few],
  ['an invoice under a sign-in', stateOn(invoice, { signingIn }), few],
  ['a code while the gateway is unavailable', stateOn(code, { away }), few],
];

export function draw(
  state: TillState,
  [columns, rows]: readonly [number, number],
): readonly string[] {
  const props = { state, style, size: { columns, rows }, cashier: '+7 (701) ***-**-67' };
  const about = { at: 'https://pay.example.kz', doubtsCommand: 'msgsite pay payments' };
  return renderToString(<TillView {...props} {...about} />, { columns }).split('\n');
}

export const next = (state: TillState, event: TillEvent) => update(state, event).state;
export const later = (state: TillState, milliseconds: number) =>
  next(state, { on: 'tick', now: state.now, moment: state.moment + milliseconds });

/** Words and symbols of an outcome, which only the notice may show beside an open payment. */
const final = /\b(PAID|EXPIRED|UNKNOWN|RETURNED|[Rr]eturned|doubt)\b|[✓✗←?]/;
const amounts = (line: string) => line.match(/\d[\d\s]*(,\d\d)? ?(?=₸)/g) ?? [];

function assertOwn(line: string): void {
  expect(line).not.toMatch(final);
  for (const amount of amounts(line)) expect(amount.replace(/\s/g, '')).toBe('1500');
  expect(line.replace(/\D/g, '')).not.toContain('2911');
}

export const isNotice = (line: string) => line.startsWith('another payment: ');
/** Lines that belong to the payment itself: its code, amount, status and sign-in. The bar says `no response`. */
const isOwn = (line: string) =>
  /[█▀▄]|1 500 ₸|[○◐!] |SMS/.test(line) && !isNotice(line) && !line.includes('no response');

/** Tests that events of other payments do not change what the till shows about the payment on the screen. */
export function testOwnPayment(layouts: readonly (typeof sizes)[number][]): void {
  describe.each(shownStates)('the till with %s on the screen', (_, state, happening) => {
    describe.each(layouts)('in the layout “%s”', (_, size) => {
      const before = draw(state, size);
      it.each(happening)('reports another payment that %s only in a notice', (_, event, said) => {
        const frame = draw(next(state, event), size);
        const notices = frame.filter(isNotice);
        expect(notices.length).toBeLessThanOrEqual(said ? 1 : 0);
        for (const notice of notices) expect(notice).toMatch(said ?? /never/);
        for (const line of frame) if (!isNotice(line)) assertOwn(line);
        // The notice takes no space from the payment.
        expect(frame.filter(isOwn)).toEqual(before.filter(isOwn));
        expect(frame.length).toBeLessThanOrEqual(size[1]);
        expect(Math.max(...frame.map(columnsOf))).toBeLessThanOrEqual(size[0]);
      });
    });
  });
}
