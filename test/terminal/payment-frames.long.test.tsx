import { render } from 'ink-testing-library';
import { describe, expect, it } from 'vitest';
import { createColors } from '../../src/terminal/colors.js';
import { LivePayment } from '../../src/terminal/payment/LivePayment.js';
import { bannerLines, PaymentResult } from '../../src/terminal/payment/PaymentResult.js';
import type { PaymentCard, ResultKind } from '../../src/terminal/payment/payment-card.js';
import {
  describeResult,
  describeStatus,
  moneyText,
  noAnswer,
} from '../../src/terminal/payment/payment-words.js';
import { filledHalves, readQr } from '../helpers/read-qr.js';

const now = Date.parse('2026-11-21T02:00:00Z');
const style = {
  colors: createColors(false),
  depth: 0,
  darkBackground: true,
  zone: 'Asia/Almaty',
} as const;
const qrCard: PaymentCard = {
  id: '1795230000',
  amount: 1500,
  link: 'https://pay.example/qr/aBcDeFgHiJkLmNoP',
  orgName: 'Кофейня «Дала»',
  createdAt: now - 9000,
  expiresAt: now + 171_000,
};
const invoiceCard: PaymentCard = {
  id: '1795230001',
  amount: 2006.5,
  clientName: 'Айгерим С.',
  clientPhone: '77011234567',
  createdAt: now - 9000,
  expiresAt: now + 171_000,
};
const waiting = describeStatus({ status: 'QrTokenCreated', statusDesc: '' });

function live(card: PaymentCard, columns: number, rows: number, status = waiting): string {
  const keys = ['Ctrl+C stops waiting'];
  const size = { columns, rows };
  const { lastFrame, unmount } = render(
    <LivePayment {...{ card, status, now, keys, size, style }} />,
  );
  // If CI is set, ink writes another frame when it exits.
  const frame = lastFrame() ?? '';
  unmount();
  return frame;
}

function codeIn(frame: string): string | undefined {
  const rows = frame.split('\n').map((line) => [...line].map(filledHalves));
  return readQr(rows);
}

describe('the screen of an open payment', () => {
  it('shows the details beside the code and the link below at 80 columns', () => {
    const frame = live(qrCard, 80, 24);
    expect(codeIn(frame)).toBe(qrCard.link);
    for (const text of ['1 500 ₸', '○ Waiting for the customer to scan', '2:51', '1795230000']) {
      expect(frame).toContain(text);
    }
    const lines = frame.split('\n');
    expect(lines.at(-2)).toBe(qrCard.link);
    expect(lines.at(-1)).toBe('Ctrl+C stops waiting');
  });

  it('shows the details above the code at 40 columns', () => {
    const frame = live(qrCard, 40, 24);
    expect(codeIn(frame)).toBe(qrCard.link);
    expect(frame.split('\n')[0]).toBe('1 500 ₸');
    expect(frame).toContain(qrCard.link);
  });

  it.each([
    [80, 24],
    [40, 24],
    [100, 40],
    [60, 30],
    [33, 26],
    [20, 24],
  ])('leaves a line free in a terminal of %d × %d to prevent flicker', (columns, rows) => {
    const lines = live(qrCard, columns, rows).split('\n');
    expect(lines.length).toBeLessThan(rows);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
  });

  it('shows the required size and the link if the code does not fit', () => {
    const frame = live(qrCard, 80, 12);
    expect(frame).toContain('Window too small: must be 33 x 18, is 80 x 12');
    expect(frame).toContain(qrCard.link);
    expect(codeIn(frame)).toBeUndefined();
  });

  // Size of a level-L code by the number of bytes in it (ISO/IEC 18004, table 7).
  const sizes = [
    [20, 25],
    [60, 33],
    [81, 37],
    [107, 41],
    [150, 45],
    [300, 61],
  ] as const;
  const windows = [
    [40, 20],
    [45, 24],
    [80, 24],
    [67, 23],
    [120, 40],
  ] as const;

  it.each(sizes)(
    'shows the code of a link of %d characters wherever it fits',
    (length, modules) => {
      const link = `https://a.kz/${'x'.repeat(length - 13)}`;
      const [wide, high] = [modules + 4, Math.ceil((modules + 4) / 2)];
      for (const [columns, rows] of windows) {
        const frame = live({ ...qrCard, link }, columns, rows, noAnswer);
        const lines = frame.split('\n');
        const unwrapped = frame.replaceAll(/\s/g, '');
        const fits = wide <= columns && (high < rows || (high === rows && columns - wide > 20));
        expect(codeIn(frame), `${columns} x ${rows}`).toBe(fits ? link : undefined);
        expect(lines.length).toBeLessThanOrEqual(rows);
        expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
        expect(frame).toMatch(/1 500 ₸/);
        if (fits) expect(frame).toContain('! The bank is');
        else expect(unwrapped).toContain(`mustbe${wide}x${high + 1},is${columns}x${rows}`);
        if (!fits) expect(unwrapped).toContain(link);
      }
    },
  );

  it('shows the customer of an invoice', () => {
    const frame = live(invoiceCard, 80, 24);
    expect(frame).toContain('2 006,50 ₸');
    expect(frame).toContain('Айгерим С., +7 (701) 123-45-67');
  });

  it('reports problems with a symbol and words, not only with colour', () => {
    expect(live(qrCard, 80, 24, noAnswer)).toContain('! The bank is not responding');
    const odd = describeStatus({ status: 'ManualReview', statusDesc: '' });
    expect(live(qrCard, 80, 24, odd)).toContain('! No outcome yet. The bank reports:');
  });
});

describe('the result of a payment', () => {
  const kinds: readonly (readonly [ResultKind, string, string])[] = [
    ['success', 'Processed', '✓ PAID  1 500 ₸'],
    ['returned', 'Processed', '← RETURNED  1 500 ₸'],
    ['failed', 'Rejected', '✗ NOT PAID  1 500 ₸'],
    ['expired', 'Expired', '! EXPIRED  1 500 ₸'],
    ['unknown', 'QrTokenCreated', '? UNKNOWN  1 500 ₸'],
  ];

  function result(kind: ResultKind, status: string, columns: number): string {
    const words = describeResult(kind, { status, statusDesc: '' });
    const { lastFrame, unmount } = render(
      <PaymentResult {...{ card: qrCard, words, at: now, columns, style }} />,
    );
    const frame = lastFrame() ?? '';
    unmount();
    return frame;
  }

  it.each(kinds)(
    'for %s is shown in large letters and as one line at 80 and 40 columns',
    (...kind) => {
      const [name, status, line] = kind;
      for (const columns of [80, 40]) {
        const frame = result(name, status, columns);
        expect(frame).toContain(line);
        expect(frame).toMatch(/█/);
        expect(Math.max(...frame.split('\n').map((row) => row.length))).toBeLessThanOrEqual(
          columns,
        );
      }
    },
  );

  it('has a different edge for each kind, which distinguishes them without colours', () => {
    const edges = kinds.map(([kind, status]) => result(kind, status, 80)[0]);
    expect(new Set(edges).size).toBe(kinds.length);
  });

  it('shows the refunded amount, and is not green after a full refund', () => {
    const green = '48;5;41m';
    const lines = (kind: ResultKind, returned: number) => {
      const words = describeResult(kind, { status: 'Processed', statusDesc: '' });
      const amount = moneyText({ amount: 1500, returned });
      return bannerLines({ words, amount, columns: 80, depth: 256 }).join('\n');
    };
    expect(lines('success', 500)).toContain('✓ PAID  1 500 ₸, 500 ₸ returned');
    expect(lines('success', 500)).toContain(green);
    expect(lines('returned', 1500)).toContain('← RETURNED  1 500 ₸ of 1 500 ₸');
    expect(lines('returned', 1500)).not.toContain(green);
  });

  it('explains why nothing was paid, even for an unknown status', () => {
    expect(result('failed', 'InsufficientFunds', 80)).toContain('does not have enough money');
    expect(result('failed', 'IrisSrcBlockCode7', 80)).toContain(
      'The bank reports: IrisSrcBlockCode7',
    );
  });
});
