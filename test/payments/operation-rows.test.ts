import { describe, expect, it } from 'vitest';
import { readOperation, readOperations } from '../../src/payments/providers/operation-rows.js';

const nothing = {
  id: null,
  otherId: null,
  key: null,
  type: null,
  profileId: null,
  amount: null,
  returned: null,
  status: null,
  clientPhone: null,
  transactionDate: null,
  returns: [],
};

describe('readOperations', () => {
  it('reads the fields of a row and preserves the original', () => {
    const row = {
      Id: 1001,
      OperationType: 'Qr',
      ProfileId: '171',
      Amount: '1500.50',
      ReturnedAmount: 500,
      Status: 'Processed',
      ClientMobile: '77017654321',
      TransactionDate: '2026-11-21T07:00:00.000',
      Returns: [{ Id: 100101, ReturnAmount: 500, TransactionDate: '2026-11-21T08:00:00.000' }, 5],
      More: true,
    };
    expect(readOperations({ Data: { Operations: [row] } })).toEqual([
      {
        id: '1001',
        otherId: null,
        key: null,
        type: 'qr',
        profileId: 171,
        amount: 1500.5,
        returned: 500,
        status: 'Processed',
        clientPhone: '77017654321',
        transactionDate: '2026-11-21T07:00:00.000',
        returns: [
          { id: '100101', key: null, amount: 500, transactionDate: '2026-11-21T08:00:00.000' },
        ],
        raw: row,
      },
    ]);
  });

  const [one, two] = [{ Id: 1 }, { Id: 2 }];
  it.each([
    ['Data itself', [one, two]],
    ['Operations', { Operations: [one, two] }],
    ['Items', { Total: 2, Items: [one, two] }],
    ['Invoices', { Invoices: [one, two] }],
    ['any other name', { Statistic: {}, Rows: [one, two] }],
    ['a common name before other names', { Banners: [{ Id: 9 }], Operations: [one, two] }],
    [
      'DailySets',
      { DailySets: [{ Date: 'a', Operations: [one] }, { Date: 'b', Operations: [two] }, {}] },
    ],
    [
      'Operations, ignoring the copies in DailySets',
      { DailySets: [{ Operations: [one, two] }], Operations: [one, two] },
    ],
  ])('finds the list in %s', (_, Data) => {
    const rows = readOperations({ StatusCode: 0, Data });
    expect(rows.map(({ id }) => id)).toEqual(['1', '2']);
  });

  it('reads an empty list', () => {
    expect(readOperations({ Data: { DailySets: [] } })).toEqual([]);
    expect(readOperations({ Data: [] })).toEqual([]);
  });

  it.each([[undefined], [null], ['none'], [{}], [{ Total: 0 }]])(
    'rejects %j instead of reading it as an empty list',
    (Data) => {
      expect(() => readOperations({ StatusCode: 0, Data })).toThrow('lacks a list of operations');
    },
  );

  it.each([
    [{ OperationType: 'Qr' }, 'qr'],
    [{ OperationType: 'QR_PAYMENT' }, 'qr'],
    [{ OperationType: 'Invoice' }, 'invoice'],
    [{ OperationType: 'RemotePayment' }, 'invoice'],
    [{ OperationType: 'Refund', Status: 'QrTokenCreated' }, null],
    [{ Status: 'QrTokenScanned' }, 'qr'],
    [{ Status: 'RemotePaymentCanceled' }, 'invoice'],
    [{ Status: 'Processed' }, null],
  ])('reads the type of %j as %j', (row, type) => {
    expect(readOperations({ Data: [row] })[0]?.type).toBe(type);
  });

  it.each([
    [{ QrOperationId: 5 }, '5'],
    [{ OperationType: 'Invoice', QrOperationId: 5 }, '5'],
    [{ OperationType: 'Invoice', QrOperationId: 6, Id: 5 }, '5'],
    [{ OperationType: 'Qr', QrOperationId: 5, Id: 6 }, '5'],
    [{ OperationId: '5' }, '5'],
    [{ Id: 'a-b' }, 'a-b'],
    [{}, null],
  ])('reads the ID of %j as %j', (row, id) => {
    expect(readOperations({ Data: [row] })[0]?.id).toBe(id);
  });

  it('reads the rows of a list named Invoices as invoices', () => {
    const rows = readOperations({ Data: { Invoices: [{ QrOperationId: 6, Id: 5 }] } });
    expect(rows[0]).toMatchObject({ id: '5', otherId: '6', type: 'invoice' });
  });

  it('reads an empty row', () => {
    expect(readOperations({ Data: [{}] })).toEqual([{ ...nothing, raw: {} }]);
  });

  it('preserves every digit of an ID beyond 2^53', () => {
    const rows = readOperations({ Data: [{ Id: 9_223_372_036_854_775_807n }] });
    expect(rows[0]?.id).toBe('9223372036854775807');
  });
});

describe('readOperation', () => {
  it('reads a single operation with its refunds', () => {
    const Data = { Id: 5, Refunds: [{ Id: 501, ReturnAmount: '1.50', TransactionDate: 't' }] };
    expect(readOperation({ StatusCode: 0, Data })).toEqual({
      ...nothing,
      id: '5',
      returns: [{ id: '501', key: null, amount: 1.5, transactionDate: 't' }],
      raw: Data,
    });
    expect(readOperation({ StatusCode: 0, Data: null })).toBe(null);
  });
});
