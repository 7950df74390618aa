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

describe('an operation is like an intent', () => {
  const invoice = { kind: 'invoice', clientPhone: '77017654321' } as const;
  const billed = { type: 'invoice', clientPhone: '77017654321' } as const;
  it.each([
    ['of the same type, profile, amount and time', {}, {}, true],
    [
      '15 minutes before',
      {},
      { transactionDate: formatProviderTime(at - 15 * minutes, zone) },
      true,
    ],
    [
      '15 minutes after',
      {},
      { transactionDate: formatProviderTime(at + 15 * minutes, zone) },
      true,
    ],
    ['earlier', {}, { transactionDate: formatProviderTime(at - 15 * minutes - 1, zone) }, false],
    ['later', {}, { transactionDate: formatProviderTime(at + 15 * minutes + 1, zone) }, false],
    ['of another amount', {}, { amount: 1500.51 }, false],
    ['of another profile', {}, { profileId: 8 }, false],
    ['of the other type', {}, { type: 'invoice' }, false],
    ['of a type that it does not say', {}, { type: null }, false],
    ['of a profile that it does not say', {}, { profileId: null }, false],
    ['without an amount', {}, { amount: null }, false],
    ['without a time', {}, { transactionDate: null }, false],
    ['without an id', {}, { id: null }, false],
    ['billed to the same phone', invoice, billed, true],
    ['billed to another phone', invoice, { ...billed, clientPhone: '77010000000' }, false],
    ['billed to a phone that it does not say', invoice, { ...billed, clientPhone: null }, false],
  ] as const)('%s', (_, wanted, found, isLike) => {
    const like = operationsLike(intent(wanted), [row(found)], zone);
    expect(like.map(({ id }) => id)).toEqual(isLike ? ['1001'] : []);
  });
});

it('a return is like a refund in doubt by amount and time', () => {
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
