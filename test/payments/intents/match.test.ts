import { describe, expect, it } from 'vitest';
import { operationsLike, returnsLike } from '../../../src/payments/intents/candidates.js';
import type { Intent } from '../../../src/payments/intents/intent.js';
import type { OperationRow } from '../../../src/payments/providers/operation-rows.js';
import { formatProviderTime } from '../../../src/payments/zoned-time.js';

const zone = 'Asia/Almaty';
const at = Date.parse('2026-11-22T08:00:00Z');
const minutes = 60_000;

const intent = (changes: Partial<Intent> = {}): Intent => ({
  id: '0123456789abcdef01234567',
  state: 'in_doubt',
  kind: 'qr',
  organizationId: 1,
  profileId: 7,
  sessionId: 's',
  cashier: '77011234567',
  amount: 1500.5,
  body: 'b',
  key: 'k',
  createdAt: at,
  ...changes,
});

const row = (changes: Partial<OperationRow> = {}): OperationRow => ({
  id: '1001',
  otherId: null,
  type: 'qr',
  profileId: 7,
  amount: 1500.5,
  returned: null,
  status: 'Processed',
  clientPhone: null,
  transactionDate: formatProviderTime(at + 1000, zone),
  key: null,
  returns: [],
  raw: {},
  ...changes,
});

describe('similarity to an intent', () => {
  const invoice = { kind: 'invoice', clientPhone: '77017654321' } as const;
  const billed = { type: 'invoice', clientPhone: '77017654321' } as const;
  it.each([
    ['an operation of the same type, profile, amount and time is similar', {}, {}, true],
    [
      'an operation 15 minutes before is similar',
      {},
      { transactionDate: formatProviderTime(at - 15 * minutes, zone) },
      true,
    ],
    [
      'an operation 15 minutes after is similar',
      {},
      { transactionDate: formatProviderTime(at + 15 * minutes, zone) },
      true,
    ],
    [
      'an earlier operation is not similar',
      {},
      { transactionDate: formatProviderTime(at - 15 * minutes - 1, zone) },
      false,
    ],
    [
      'a later operation is not similar',
      {},
      { transactionDate: formatProviderTime(at + 15 * minutes + 1, zone) },
      false,
    ],
    ['an operation with a different amount is not similar', {}, { amount: 1500.51 }, false],
    ['an operation of a different profile is not similar', {}, { profileId: 8 }, false],
    ['an operation of a different type is not similar', {}, { type: 'invoice' }, false],
    ['an operation without a type is not similar', {}, { type: null }, false],
    ['an operation without a profile is not similar', {}, { profileId: null }, false],
    ['an operation without an amount is not similar', {}, { amount: null }, false],
    ['an operation without a time is not similar', {}, { transactionDate: null }, false],
    ['an operation without an ID is not similar', {}, { id: null }, false],
    ['an invoice to the same phone number is similar', invoice, billed, true],
    [
      'an invoice to a different phone number is not similar',
      invoice,
      { ...billed, clientPhone: '77010000000' },
      false,
    ],
    [
      'an invoice without a phone number is not similar',
      invoice,
      { ...billed, clientPhone: null },
      false,
    ],
  ] as const)('%s', (_, more, found, isLike) => {
    const like = operationsLike(intent(more), [row(found)], zone);
    expect(like.map(({ id }) => id)).toEqual(isLike ? ['1001'] : []);
  });
});

it('a return is similar to a refund in doubt if its amount and time match', () => {
  const returned = (id: string, amount: number, late: number) => ({
    id,
    amount,
    transactionDate: formatProviderTime(at + late, zone),
    key: null,
  });
  const returns = [returned('1', 500, 0), returned('2', 501, 0), returned('3', 500, 16 * minutes)];
  const refund = intent({ kind: 'refund', paymentId: '1001', amount: 500 });
  expect(returnsLike(refund, returns, zone).map(({ id }) => id)).toEqual(['1']);
});
