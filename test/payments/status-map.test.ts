import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/base/errors.js';
import { parseStatusMap } from '../../src/payments/watching/payment-rules.js';

const parse = (text: string, qrFailed: readonly string[] = []) =>
  parseStatusMap({ file: 'statuses.json', text, qrFailed });

function faultsOf(text: string, qrFailed: readonly string[] = []): string[] {
  try {
    parse(text, qrFailed);
  } catch (error) {
    if (!(error instanceof AppError) || !Array.isArray(error.details)) throw error;
    expect(error.exitCode).toBe(2);
    return error.details.map(({ path, message }) => `${path}: ${message}`);
  }
  return [];
}

describe('the file of MSGSITE_STATUS_MAP', () => {
  it.each([
    ['{}', {}],
    ['\uFEFF{"qr": {}}', { qr: {} }],
    [
      '{"qr": {"Paid": "success", "ManualReview": "pending"}, "invoice": {"Gone": "expired"}}',
      { qr: { Paid: 'success', ManualReview: 'pending' }, invoice: { Gone: 'expired' } },
    ],
    ['{"qr": {"Processed": "success"}}', { qr: { Processed: 'success' } }],
    ['{"invoice": {"QrTokenDiscarded": "failed"}}', { invoice: { QrTokenDiscarded: 'failed' } }],
  ])('is read if it contains %s', (text, map) => {
    expect(parse(text)).toEqual(map);
  });

  it.each([
    ['', ['statuses.json:1:1: This is not JSON: the file is empty.']],
    ['[]', ['statuses.json:1:1: the file must be an object (type)']],
    [
      '{\n  "qr": {\n    "Paid": "paid"\n  }\n}',
      ['statuses.json:3:13: /qr/Paid must be one of success, failed, expired, pending (enum)'],
    ],
    [
      '{"refund": {}}',
      ['statuses.json:1:2: /refund is not a known property (additionalProperties)'],
    ],
    [
      '{"qr": {"Paid": "success",\n"Paid": "failed"}}',
      ['statuses.json:2:1: /qr/Paid is given twice'],
    ],
    [
      '{"qr": {\n"Processed": "failed", "Rejected": "success", "IrisSrcBlockCode7": "pending"},\n"invoice": {"RemotePaymentCreated": "success"}}',
      [
        'statuses.json:2:1: /qr/Processed means success and cannot be redefined (known-status)',
        'statuses.json:2:24: /qr/Rejected means failed and cannot be redefined (known-status)',
        'statuses.json:2:47: /qr/IrisSrcBlockCode7 means failed and cannot be redefined (known-status)',
        'statuses.json:3:13: /invoice/RemotePaymentCreated means pending and cannot be redefined (known-status)',
      ],
    ],
    [`${'['.repeat(65)}`, ['statuses.json:1:65: nested more than 64 levels deep']],
  ])('is rejected if it contains %j', (text, faults) => {
    expect(faultsOf(text)).toEqual(faults);
  });

  it('must not contradict MSGSITE_QR_FAILED_STATUSES', () => {
    const text = '{"qr": {"Frozen": "pending", "Lost": "failed"}}';
    expect(faultsOf(text, ['Frozen', 'Lost'])).toEqual([
      'statuses.json:1:9: /qr/Frozen means failed in MSGSITE_QR_FAILED_STATUSES and pending here (contradiction)',
    ]);
  });

  it('is rejected with 100 faults and the number of further faults', () => {
    const entries = Array.from({ length: 150 }, (_, n) => `"S${n}": "odd"`).join(', ');
    const faults = faultsOf(`{"qr": {${entries}}}`);
    expect(faults).toHaveLength(101);
    expect(faults.at(-1)).toBe('statuses.json: and at least 50 more');
  });
});
