import { describe, expect, it } from 'vitest';
import { amountIn } from '../../src/payments/providers/answer-values.js';
import {
  readCreated,
  readObserved,
  readRefunded,
  readSignedIn,
  readStarted,
} from '../../src/payments/providers/provider-answer.js';

describe('readCreated', () => {
  it('reads the fields of a payment and preserves all of Data', () => {
    const Data = {
      QrOperationId: 77,
      QrToken: 'https://pay.example/qr/x',
      ExpireDate: '2026-11-21T07:03:00',
      Amount: 5,
      ReceiptUrl: 'https://pay.example/r',
      More: [1],
    };
    expect(readCreated('qr', { StatusCode: 0, Data })).toEqual({
      id: '77',
      status: 'QrTokenCreated',
      statusDesc: 'QrTokenCreated',
      amount: 5,
      receiptUrl: 'https://pay.example/r',
      orderNumber: null,
      otherId: null,
      qrToken: 'https://pay.example/qr/x',
      expireDate: '2026-11-21T07:03:00',
      data: Data,
    });
  });

  it.each([
    ['qr', { QrOperationId: '900719925474099312' }, '900719925474099312'],
    ['qr', { Id: 5 }, '5'],
    ['invoice', { Id: 5, QrOperationId: 6 }, '5'],
    ['invoice', { QrOperationId: 6 }, '6'],
    ['invoice', { Id: null, OperationId: '7' }, '7'],
    ['qr', { Id: '0077' }, '77'],
    ['qr', { Id: '000' }, '0'],
    ['qr', { QrOperationId: '9'.repeat(30) }, '9'.repeat(30)],
    ['qr', { QrOperationId: 0 }, '0'],
  ] as const)('takes the id of a %s from %j', (type, Data, id) => {
    expect(readCreated(type, { Data }).id).toBe(id);
  });

  it('accepts an integer beyond 2^53 as an ID', () => {
    const id = 2n ** 63n;
    expect(readCreated('qr', { Data: { QrOperationId: id } }).id).toBe('9223372036854775808');
  });

  it.each([
    [1500.5, 1500.5],
    ['1500.50', 1500.5],
    ['1500', 1500],
    [undefined, null],
    [null, null],
    ['', null],
    ['many', null],
    ['1e3', null],
    [Number.NaN, null],
  ])('reads the amount %j as %j', (Amount, amount) => {
    expect(readCreated('qr', { Data: { Id: 1, Amount } }).amount).toBe(amount);
  });

  it.each([
    [{}],
    [{ Data: null }],
    [{ Data: [] }],
    [{ Data: { Id: 'x' } }],
    [{ Data: { Id: 1.5 } }],
    [{ Data: { Id: -1 } }],
    [{ Data: { Id: 2 ** 60 } }],
    [{ Data: { Id: '' } }],
    [{ Data: { Id: '1.5' } }],
    [{ Data: { Id: '-1' } }],
    [{ Data: { Id: '9'.repeat(31) } }],
    [{ Data: { Id: '7d9f2a30-6d54-4c7e-9a34-5f2f1c1e2d3b' } }],
    [{ Data: { Id: [1] } }],
    // Only the first property that is present is read, because other numbers may mean something else.
    [{ Data: { Id: '7d9f2a30-6d54-4c7e-9a34-5f2f1c1e2d3b', QrOperationId: 5 } }],
  ])('rejects %j as a provider failure with an unknown outcome', (answer) => {
    const read = () => readCreated('invoice', answer);
    expect(read).toThrow('lacks an operation ID');
    expect(read).toThrow(expect.objectContaining({ isClear: false, details: answer }));
  });

  it('rejects a negative bigint as an ID', () => {
    expect(() => readCreated('qr', { Data: { Id: -1n } })).toThrow('lacks an operation ID');
  });
});

describe('readObserved', () => {
  it('reads the status and its description', () => {
    const Data = { Status: 'Processed', StatusDesc: 'Paid', OrderNumber: 12 };
    expect(readObserved({ Data })).toMatchObject({
      status: 'Processed',
      statusDesc: 'Paid',
      orderNumber: '12',
    });
  });

  it('reads integers beyond the range of a double', () => {
    const Data = { Status: 'Processed', Id: 2n ** 60n, Amount: 1500n };
    expect(readObserved({ Data })).toMatchObject({ id: '1152921504606846976', amount: 1500 });
  });

  it.each([
    [1500, 1500],
    ['1500.50', 1500.5],
    ['', null],
    ['much', null],
    [null, null],
    [{}, null],
  ])('reads the amount %j', (Amount, amount) => {
    expect(readObserved({ Data: { Status: 'Processed', Amount } }).amount).toBe(amount);
  });

  it.each([[{}], [{ Data: {} }], [{ Data: { Status: '' } }], [{ Data: { Status: null } }]])(
    'rejects %j, which lacks a status',
    (answer) => {
      expect(() => readObserved(answer)).toThrow('lacks a status');
    },
  );
});

describe('the second ID in an answer', () => {
  it.each([
    [{ Id: 5, QrOperationId: 6 }, '6'],
    [{ Id: '5', QrOperationId: '0006' }, '6'],
    [{ Id: 5n, QrOperationId: 9_007_199_254_740_993n }, '9007199254740993'],
    [{ Id: 5 }, null],
    [{ Id: 5, QrOperationId: '005' }, null],
    [{ Id: 5, QrOperationId: 'none' }, null],
    [{ Id: 5, OperationId: 7 }, null],
  ])('is read from the invoice %o as %s', (Data, otherId) => {
    expect(readCreated('invoice', { Data }).otherId).toBe(otherId);
    expect(readObserved({ Data: { ...Data, Status: 'Processed' } }, '5').otherId).toBe(otherId);
  });

  it('is the `Id` if the request contained the QrOperationId', () => {
    const Data = { Id: 5, QrOperationId: 6, Status: 'Processed' };
    expect(readObserved({ Data }, '6')).toMatchObject({ id: '6', otherId: '5' });
    expect(readObserved({ Data }, '7')).toMatchObject({ id: '6', otherId: '5' });
  });
});

describe('the ID in a status answer', () => {
  const Status = 'Processed';
  it.each([
    [{}, '5', null],
    [{ QrOperationId: 5 }, '5', '5'],
    [{ Id: 5 }, '5', '5'],
    [{ OperationId: '5' }, '5', '5'],
    [{ Id: 6 }, '5', '6'],
    [{ QrOperationId: 6, Id: 5 }, '5', '5'],
    [{ QrOperationId: '0005' }, '5', '5'],
    [{ QrOperationId: 5 }, '005', '005'],
    [{ Id: 'x' }, '5', 'x'],
    [{ Id: 5.5 }, '5', '5.5'],
    [{ Id: 5 }, undefined, '5'],
    [{ Id: null, QrOperationId: '' }, '5', null],
  ])('in %j to a request for %j is %j', (data, requestedId, id) => {
    expect(readObserved({ Data: { Status, ...data } }, requestedId).id).toBe(id);
  });

  it('can be beyond 2^53', () => {
    const requestedId = '9223372036854775808';
    expect(readObserved({ Data: { Status, Id: 2n ** 63n } }, requestedId).id).toBe(requestedId);
    expect(readObserved({ Data: { Status, Id: 2n ** 63n + 1n } }, requestedId).id).not.toBe(
      requestedId,
    );
  });
});

describe('readRefunded', () => {
  it.each([
    [
      { Id: 501, QrOperationId: 5, ReturnAmount: 2, AvailableReturnAmount: 3, Status: 'Processed' },
      { id: '501', paymentId: '5', amount: 2, available: 3, status: 'Processed' },
    ],
    [
      { ReturnId: '501', PaymentId: '5', Amount: '2.00', AvailableAmount: '3' },
      { id: '501', paymentId: '5', amount: 2, available: 3, status: null },
    ],
    // The answer can also contain the amount of the payment.
    [
      { Id: 'x', Amount: 9, ReturnAmount: 2 },
      { id: null, paymentId: null, amount: 2, available: null, status: null },
    ],
    [undefined, { id: null, paymentId: null, amount: null, available: null, status: null }],
  ])('reads %j', (Data, facts) => {
    expect(readRefunded({ StatusCode: 0, Data })).toEqual(facts);
  });
});

describe('readStarted', () => {
  it('requires a processId and fills in a missing view', () => {
    expect(readStarted({ processId: 'p', body: { title: 'Hello' } })).toEqual({
      processId: 'p',
      view: 'EnterPhoneNumber',
      body: { title: 'Hello' },
    });
    expect(() => readStarted({ processId: '' })).toThrow('lacks a processId');
  });
});

describe('readSignedIn', () => {
  const answer = { tokenSN: 't', vtokenSecret: 's', organizationId: 5 };

  it('fills in fields that the provider omits', () => {
    expect(readSignedIn(answer)).toEqual({
      step: 'finished',
      message: 'Signed in.',
      tokenSN: 't',
      secret: 's',
      profileId: 5,
      organizationId: 5,
      orgName: '',
      phone: '',
      organizations: [],
      capabilities: { idempotent: false, lookup: false },
    });
  });

  it.each([
    [{ idempotent: true, lookup: true }, true, true],
    [{ lookup: true, more: 1 }, false, true],
    [{ idempotent: 'true', lookup: 1 }, false, false],
    [['idempotent'], false, false],
    [null, false, false],
  ])('reads the capabilities %j', (capabilities, idempotent, lookup) => {
    const read = readSignedIn({ ...answer, capabilities });
    expect(read.capabilities).toEqual({ idempotent, lookup });
  });

  it.each([
    [{ sandbox: true }, { sandbox: true }],
    [{ sandbox: 'true' }, {}],
    [{ sandbox: false }, {}],
  ])('reads the sandbox mark of %j as %j', (capabilities, mark) => {
    const read = readSignedIn({ ...answer, capabilities });
    expect(read.capabilities).toEqual({ idempotent: false, lookup: false, ...mark });
  });

  it('reads digits in text as numbers', () => {
    const read = readSignedIn({ ...answer, organizationId: '17', profileId: '171' });
    expect(read).toMatchObject({ organizationId: 17, profileId: 171 });
  });

  it.each([['tokenSN'], ['vtokenSecret'], ['organizationId']])('requires %s', (name) => {
    expect(() => readSignedIn({ ...answer, [name]: '' })).toThrow('lacks');
  });
});

describe('amountIn', () => {
  it.each([
    [{ Amount: 1500 }, 1500],
    [{ Amount: 1500.5 }, 1500.5],
    [{ Amount: 0 }, 0],
    [{ Amount: -15 }, -15],
    [{ Amount: '1500' }, 1500],
    [{ Amount: '1500.50' }, 1500.5],
    [{ Amount: '1500,5' }, 1500.5],
    [{ Amount: '1 500' }, 1500],
    [{ Amount: '12 345 678,90' }, 12_345_678.9],
    [{ Amount: '1\u00a0500 ₸' }, 1500],
    [{ Amount: '1\u202f500,00тг' }, 1500],
    [{ Amount: '1500 KZT' }, 1500],
    [{ Amount: 1500, Currency: 'KZT' }, 1500],
    [{ Amount: 1500, Currency: '398' }, 1500],
    [{ Amount: 1500, Currency: 398 }, 1500],
    [{ Amount: 1500, Currency: '₸' }, 1500],
    [{ Amount: 1500, Currency: null }, 1500],
    [{}, null],
    [{ Amount: null }, null],
    [{ Currency: 'KZT' }, null],
  ])('reads %j as %d tenge', (data, amount) => {
    expect(amountIn(data)).toEqual({ amount });
  });

  it.each([
    '',
    ' ',
    'many',
    '1e3',
    '-15',
    '+15',
    '15.001',
    '15.',
    ',5',
    '1 50',
    '1  500',
    '15 00',
    '1,500.00',
    '1 500 $',
    '0x10',
    '15₸₸',
    'Infinity',
    1500.005,
    Number.NaN,
    10 ** 15,
    true,
    false,
    [15],
    [],
    {},
    { Value: 15, Currency: 'KZT' },
  ])('reports %j as unreadable', (Amount) => {
    expect(amountIn({ Amount })).toEqual({ amount: null, amountFault: 'unreadable_amount' });
  });

  it.each(['KGS', 'USD', 'kzt', '', 643, 398.5, true, {}])(
    'rejects an amount in the currency %j',
    (Currency) => {
      expect(amountIn({ Currency })).toEqual(amountIn({ Amount: 1500, Currency }));
      expect(amountIn({ Amount: 1500, Currency })).toEqual({
        amount: null,
        amountFault: 'other_currency',
      });
    },
  );

  it('reads bigints, and reports bigints that are too large', () => {
    expect(amountIn({ Amount: 1500n })).toEqual({ amount: 1500 });
    expect(amountIn({ Amount: 10n ** 20n })).toMatchObject({ amountFault: 'unreadable_amount' });
  });

  it('reads the first property that is present', () => {
    expect(amountIn({ ReturnAmount: null, Amount: 5 }, ['ReturnAmount', 'Amount'])).toEqual({
      amount: 5,
    });
  });
});
