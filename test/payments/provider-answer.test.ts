import { describe, expect, it } from 'vitest';
import {
  readCreated,
  readObserved,
  readSignedIn,
  readStarted,
} from '../../src/payments/providers/provider-answer.js';

describe('readCreated', () => {
  it('reads what a payment is and keeps all of Data', () => {
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
      qrToken: 'https://pay.example/qr/x',
      expireDate: '2026-11-21T07:03:00',
      data: Data,
    });
  });

  it.each([
    ['qr', { QrOperationId: '900719925474099312' }, '900719925474099312'],
    ['qr', { Id: 5 }, '5'],
    ['invoice', { Id: 5, QrOperationId: 6 }, '5'],
  ] as const)('takes the id of a %s from %j', (type, Data, id) => {
    expect(readCreated(type, { Data }).id).toBe(id);
  });

  it.each([
    [{}],
    [{ Data: null }],
    [{ Data: [] }],
    [{ Data: { Id: 'x' } }],
    [{ Data: { Id: 1.5 } }],
    [{ Data: { Id: -1 } }],
    [{ Data: { Id: 2 ** 60 } }],
  ])('%j is a failure of the provider', (answer) => {
    expect(() => readCreated('invoice', answer)).toThrow('lacks an operation id');
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

  it.each([[{}], [{ Data: {} }], [{ Data: { Status: '' } }], [{ Data: { Status: null } }]])(
    '%j proves nothing',
    (answer) => {
      expect(() => readObserved(answer)).toThrow('lacks a status');
    },
  );
});

describe('readStarted', () => {
  it('needs a processId, and fills in the view', () => {
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

  it('fills in what a provider leaves out', () => {
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

  it.each([['tokenSN'], ['vtokenSecret'], ['organizationId']])('needs %s', (name) => {
    expect(() => readSignedIn({ ...answer, [name]: '' })).toThrow('lacks');
  });
});
