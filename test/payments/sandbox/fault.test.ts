import { describe, expect, it } from 'vitest';
import {
  createFaultsInForce,
  isAt,
  readFaults,
  writeFault,
} from '../../../src/payments/providers/sandbox/fault.js';
import {
  describeFaults,
  type FaultDefinition,
  faultDefinitions,
} from '../../../src/payments/providers/sandbox/fault-list.js';

const read = (text: string) => readFaults([text])[0];

describe('the text of a fault', () => {
  it.each([
    ['late', { name: 'late', value: '15', at: '', left: Number.POSITIVE_INFINITY }],
    ['late=2.5', { value: '2.5' }],
    ['late=15@qr/create', { value: '15', at: 'qr/create' }],
    ['late=15@qr/createx3', { value: '15', at: 'qr/create', left: 3 }],
    ['late=15@qr/create x3', { value: '15', at: 'qr/create', left: 3 }],
    [' lost x1 ', { name: 'lost', value: '', left: 1 }],
    ['lostx1', { name: 'lost', left: 1 }],
    ['lost@refunds', { at: 'refunds' }],
    ['status=Paid', { value: 'Paid' }],
    ['status=Paidx2', { value: 'Paid', left: 2 }],
    ['amount=-0.5@status', { value: '-0.5', at: 'status' }],
    ['clock=-900', { value: '-900' }],
    ['id=big', { value: 'big' }],
    ['code=OK', { value: 'OK' }],
  ])('is parsed: %s', (text, fault) => {
    expect(read(text)).toMatchObject(fault);
  });

  it.each([
    ['', 'is not a valid fault'],
    ['lost,late', 'is not a valid fault'],
    ['LOST', 'is not a valid fault'],
    ['lost x0', 'is not a valid fault'],
    ['lost@qr/create@status', 'is not a valid fault'],
    ['toString', 'is not a valid fault'],
    ['lose', 'Unknown fault "lose". Use one of late, slow, lost'],
    ['constructor', 'Unknown fault'],
    ['late=', 'Invalid value "" for the fault late. Use a number of seconds'],
    ['late=soon', 'Invalid value "soon" for the fault late'],
    ['late=-1', 'Invalid value "-1" for the fault late'],
    ['late=86401', 'at most 86400'],
    ['status=', 'Invalid value "" for the fault status'],
    [`status=${'x'.repeat(101)}`, 'at most 100 characters'],
    ['id=roman', 'one of text, big, uuid, float, none'],
    ['lost=1', 'The fault lost does not accept a value'],
    ['lost@nothing', 'Unknown operation nothing. Use one of sign-in/start'],
    ['clock@qr', 'The fault clock accepts neither an operation nor a count'],
    ['same-ids x2', 'The fault same-ids accepts neither an operation nor a count'],
  ])('causes a usage error if it is %j', (text, message) => {
    expect(() => read(text)).toThrow(message);
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'usage' }));
  });

  it('is rejected in a list of more than 50 faults', () => {
    expect(readFaults(Array.from({ length: 50 }, () => 'lost'))).toHaveLength(50);
    expect(() => readFaults(Array.from({ length: 51 }, () => 'lost'))).toThrow('too many');
  });

  it.each(['late=15', 'late=15@qr/create x3', 'lost x1', 'clock=-900', 'id=big@history'])(
    'is preserved by parsing and formatting: %s',
    (text) => {
      const fault = read(text);
      expect(fault && writeFault(fault)).toBe(text);
    },
  );

  it.each([
    ['lost', 'qr/create', true],
    ['lost', 'invoices/create', true],
    ['lost', 'refunds/create', true],
    ['lost', 'qr/status', false],
    ['wrong-id', 'qr/status', true],
    ['wrong-id', 'invoices/details', true],
    ['wrong-id', 'qr/create', false],
    ['slow', 'sign-in/start', true],
    ['lost@qr', 'qr/status', true],
    ['lost@qr', 'invoices/create', false],
    ['lost@status', 'invoices/details', true],
    ['lost@history', 'invoices/history', true],
    ['lost@refunds/create', 'refunds/create', true],
  ])('%s disturbs %s: %j', (text, path, expected) => {
    const fault = read(text);
    expect(fault && isAt(fault, path)).toBe(expected);
  });
});

it('every fault is described in one line that can be parsed again', () => {
  const listed = describeFaults();
  expect(listed.map(({ fault }) => fault.split('=')[0])).toEqual(Object.keys(faultDefinitions));
  for (const { fault, does } of listed) {
    expect(does).toMatch(/^[^\n]{10,90}$/);
    const { value, usual } = faultDefinitions[
      fault.split('=')[0] as keyof typeof faultDefinitions
    ] as FaultDefinition;
    const first = typeof value === 'object' ? fault.split('|')[0] : fault;
    expect(read(first ?? '')).toMatchObject({ value: usual ?? '' });
  }
});

it('a fault with a count disturbs this number of calls, and other faults remain in force', () => {
  const faults = createFaultsInForce(['lost@qr/create x2', 'late=1']);
  expect(faults.take('qr/status').has('late')).toBe(false);
  expect(faults.take('invoices/create').has('lost')).toBe(false);
  expect(faults.list()).toEqual(['lost@qr/create x2', 'late=1']);
  expect(faults.take('qr/create').has('lost')).toBe(true);
  expect(faults.list()).toEqual(['lost@qr/create x1', 'late=1']);
  expect(faults.take('qr/create').has('lost')).toBe(true);
  const third = faults.take('qr/create');
  expect([third.has('lost'), third.valueOf('late')]).toEqual([false, '1']);
  expect(() => faults.set(['late', 'nothing'])).toThrow('Unknown fault');
  expect(faults.list()).toEqual(['late=1']);
  faults.set([]);
  expect(faults.has('late')).toBe(false);
});
