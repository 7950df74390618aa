import { renderToString } from 'ink';
import { describe, expect, it } from 'vitest';
import { columnsOf } from '../../../src/base/text-columns.js';
import { describeStatus } from '../../../src/terminal/payment/payment-words.js';
import { smallestQr } from '../../../src/terminal/qr.js';
import { TillView } from '../../../src/terminal/till/TillView.js';
import { openTill } from '../../../src/terminal/till/till-steps.js';
import type {
  SigningIn,
  TillRefund,
  TillScreen,
  TillState,
} from '../../../src/terminal/till/till-types.js';
import { filledHalves, readQr } from '../../helpers/read-qr.js';
import { link, now, payment, returnable, style } from './till-samples.js';

const invoice = payment({ type: 'invoice', key: '17-invoice-1795230001' });
const opened: TillState = {
  ...openTill('shift', now),
  shop: 'Кофейня «Дала»',
  phone: '77011234567',
  open: [payment(), invoice],
  ended: [payment({ key: '17-qr-9', isOpen: false, kind: 'failed', endedAt: now })],
};
const client = { phone: '77015554433', name: 'Айгерим С.' };
const sale = { key: 'shift-1', type: 'invoice', amount: 1500, client } as const;
const field = { text: '1500,5' };
const of = returnable('1795230000');

const screens: readonly (readonly [string, TillScreen, RegExp])[] = [
  ['an amount', { name: 'amount', field }, /1 500,5/],
  [
    'a rejected amount',
    { name: 'amount', field: { ...field, fault: 'No amount.' } },
    /✗ No amount/,
  ],
  ['a pending request', { name: 'asking', sale }, /◐ Sending the invoice/],
  [
    'a sale in doubt',
    { name: 'doubt', sale, reason: 'The bank is silent.' },
    /IN DOUBT[\s\S]+Do\s+not\s+send\s+another/,
  ],
  ['an open invoice', { name: 'payment', key: invoice.key }, /1 500 ₸ +2:51[\s\S]+c cancel/],
  [
    'a paid payment',
    { name: 'result', payment: payment({ kind: 'success' }) },
    /✓ PAID {2}1 500 ₸/,
  ],
  ['an expired payment', { name: 'result', payment: payment({ kind: 'expired' }) }, /! EXPIRED/],
  ['the open payments', { name: 'open', selected: 1 }, /› ○ 1 500 ₸/],
  ['a phone number', { name: 'phone', field: { text: '8701' } }, /Customer’s phone: 8701/],
  ['an invoice', { name: 'invoice', client, field }, /Айгерим С\.[\s\S]+1 500,5/],
  ['a list that is loading', { name: 'refunds', rows: undefined, selected: 0 }, /◐ Loading/],
  ['the refundable payments', { name: 'refunds', rows: [of], selected: 0 }, /› +1 +1 500 ₸/],
  ['a refund', { name: 'refund', of, field, step: 'typing' }, /1 500,5[\s\S]+Press y to return/],
  [
    'a completed refund',
    { name: 'refund', of, field, step: 'returned', amount: 5, left: 7 },
    /✓ Returned {2}5 ₸/,
  ],
  [
    'the history',
    { name: 'history', rows: [{ ...of, status: 'Processed' }], top: 0 },
    /1 500 ₸ +Processed/,
  ],
  [
    'the totals',
    {
      name: 'totals',
      totals: {
        day: '2026-11-21',
        gross: { count: 2, sum: 3500 },
        returned: { count: 1, sum: 500.5 },
        net: 2999.5,
      },
    },
    /Gross +3 500 ₸ +2 paid\s+Returned +-500,50 ₸ +1 returned\s+Net +2 999,50 ₸/,
  ],
  ['the keys', { name: 'keys' }, /Ctrl\+C/],
  [
    'a refund in doubt',
    { name: 'refund', of, field, step: 'doubt', amount: 500, reason: 'The bank is silent.' },
    /IN DOUBT {2}500 ₸[\s\S]+The bank is silent\./,
  ],
];

const doubtsCommand = 'msgsite pay payments --state in_doubt';

const sizes = [
  [40, 20],
  [80, 24],
  [120, 40],
] as const;

function draw(state: TillState, columns: number, rows: number): string[] {
  const props = { state, style, size: { columns, rows }, cashier: '+7 (701) ***-**-67' };
  const about = { at: 'https://pay.example.kz', doubtsCommand };
  return renderToString(<TillView {...props} {...about} />, { columns }).split('\n');
}

function codeIn(lines: readonly string[]): string | undefined {
  return readQr(lines.map((line) => [...line].map(filledHalves)));
}

describe.each(sizes)('the till at %d × %d', (columns, rows) => {
  it.each(screens)('fits %s with all text', (_, screen, wanted) => {
    const lines = draw({ ...opened, screen }, columns, rows);
    expect(lines.length).toBeLessThanOrEqual(rows);
    expect(Math.max(...lines.map(columnsOf))).toBeLessThanOrEqual(columns);
    expect(lines.join('\n')).toMatch(wanted);
  });

  it('shows a readable code, even during a sign-in', () => {
    const screen = { name: 'payment', key: payment().key } as const;
    const signingIn: SigningIn = {
      step: 'code',
      field: { text: '1234' },
      phone: '77011234567',
      processId: 'p',
      said: 'A code was sent.',
    };
    const lines = draw({ ...opened, screen }, columns, rows);
    expect(codeIn(lines)).toBe(link);
    expect(lines.join('\n')).toMatch(/1 500 ₸ +2:51/);
    const below = draw({ ...opened, screen, signingIn }, columns, rows);
    expect(codeIn(below)).toBe(link);
    expect(below.join('\n')).toMatch(/Code from the SMS: ••••/);
  });

  it('marks refunds that have no outcome yet in the list and beside the amount', () => {
    const refunds: readonly TillRefund[] = [
      { key: 'shift-1', of, amount: 500, step: 'asked', isInDoubt: false },
      { key: 'shift-2', of, amount: 300.5, step: 'doubt', isInDoubt: true },
    ];
    const list = { name: 'refunds', rows: [of, returnable('2')], selected: 0 } as const;
    const listed = draw({ ...opened, refunds, screen: list }, columns, rows).join('\n');
    expect(listed).toMatch(/1795230000 +◐ 500 ₸ \+1/);
    const typing = { name: 'refund', of, field, step: 'typing' } as const;
    const text = draw({ ...opened, refunds, screen: typing }, columns, rows).join(' ');
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(
      /◐ 500 ₸ is being returned.+\? 300,50 ₸ is in doubt/,
    );
  });

  it('shows the number of requests in doubt with the command, but not beside an open payment', () => {
    const doubtful = { ...opened, inDoubt: 2 };
    const line = '? 2 in doubt: msgsite pay payments --state in_doubt';
    expect(draw(doubtful, columns, rows).at(-2)).toBe(
      line.length <= columns ? line : `${line.slice(0, columns - 1)}…`,
    );
    expect(draw({ ...doubtful, inDoubt: 0 }, columns, rows).join()).not.toContain('doubt');
    for (const { key } of opened.open) {
      const screen = { name: 'payment', key } as const;
      expect(draw({ ...doubtful, screen }, columns, rows).join()).not.toContain('doubt');
    }
  });

  it('mentions the sandbox on every screen and in the result', () => {
    const sandbox = { ...opened, isSandbox: true };
    for (const [, screen] of screens) {
      expect(draw({ ...sandbox, screen }, columns, rows)[0]).toMatch(/^SANDBOX · Кофейня/);
    }
    for (const { key } of opened.open) {
      const screen = { name: 'payment', key } as const;
      expect(draw({ ...sandbox, screen }, columns, rows)[0]).toMatch(/\bSANDBOX /);
    }
    for (const kind of ['success', 'failed', 'expired', 'unknown'] as const) {
      const card = { ...payment().card, sandbox: true };
      const screen = { name: 'result', payment: payment({ kind, card }) } as const;
      expect(draw({ ...sandbox, screen }, columns, rows).join('\n')).toMatch(
        /Sandbox: no money moved\./,
      );
      const real = { ...screen, payment: payment({ kind }) };
      expect(draw({ ...opened, screen: real }, columns, rows).join('\n')).not.toMatch(/sandbox/i);
    }
  });

  it('reports an unavailable gateway', () => {
    const lines = draw({ ...opened, away: 'The gateway is not responding.' }, columns, rows);
    expect(lines.join('\n')).toContain('! The gateway is not responding');
  });
});

describe('the code on the till', () => {
  const screen = { name: 'payment', key: payment().key } as const;
  const smallest = smallestQr(link);

  it('is shown wherever it fits beside one line with the amount', () => {
    for (const [columns, rows] of [
      [smallest.columns, smallest.rows + 1],
      [smallest.columns + 18, smallest.rows],
    ] as const) {
      const lines = draw({ ...opened, screen }, columns, rows);
      expect(codeIn(lines)).toBe(link);
      expect(lines.join('\n')).toContain('1 500 ₸');
    }
  });

  it.each([
    [smallest.columns, smallest.rows + 1],
    [smallest.columns, smallest.rows + 2],
    [smallest.columns + 18, smallest.rows],
    [smallest.columns + 37, smallest.rows],
  ])('has a sandbox mark beside its amount at %d × %d', (columns, rows) => {
    const lines = draw({ ...opened, isSandbox: true, screen }, columns, rows);
    expect(codeIn(lines)).toBe(link);
    expect(lines.join('\n')).toMatch(/SANDBOX\s/);
    expect(lines.join('\n')).toMatch(/1 500 ₸ +2:51/);
  });

  it.each([
    [smallest.columns - 1, 40],
    [smallest.columns, smallest.rows],
    [24, 12],
  ])('is replaced by the link and the required size at %d × %d', (columns, rows) => {
    const text = draw({ ...opened, screen }, columns, rows)
      .join('')
      .replaceAll(/\s/g, '');
    expect(text).toContain(link);
    expect(text).toContain(`mustbe${smallest.columns}×${smallest.rows + 1},`);
  });

  it('is larger in a large window', () => {
    const blocks = (lines: readonly string[]) => lines.join('').match(/[█▀▄]/g)?.length ?? 0;
    const [small, large] = sizes
      .slice(1)
      .map(([columns, rows]) =>
        blocks(draw({ ...opened, open: [payment()], screen }, columns, rows)),
      );
    expect(large).toBeGreaterThan(2 * (small ?? 0));
  });
});

it('the till escapes control characters in untrusted text', () => {
  const status = 'Odd\u001b[2J\u202e';
  const odd = payment({ status, statusDesc: status });
  const screen = { name: 'payment', key: odd.key } as const;
  const lines = draw({ ...opened, open: [odd], screen }, 120, 40);
  expect(lines.join('\n')).not.toMatch(/\p{Cc}(?<!\n)|\p{Bidi_Control}/u);
  expect(describeStatus(odd).text).toContain('\\u001b');
});
