import { expect, it } from 'vitest';
import { findRefundKey } from '../../../src/payments/client/gateway-client.js';
import { intentRow } from '../../../src/payments/payment-view.js';
import type { IntentQuery } from '../../../src/payments/record-pages.js';
import { intent } from '../money-samples.js';

const now = Date.parse('2026-11-21T12:00:00Z');
const order = { qrOperationId: 1001, returnAmount: 10.5 };

it.each([
  ['reuses a valid key regardless of the wall clock', 400, true, true],
  ['does not reuse an expired key', 2, false, false],
])('a refund %s', async (_name, days, keyTaken, isSame) => {
  const made = intent('1', {
    ...{ kind: 'refund', paymentId: '1001', state: 'adopted' },
    closedAt: now - days * 86_400_000,
  });
  const row = intentRow(made, () => keyTaken);
  const intents = async ({ state }: IntentQuery) => ({
    rows: state === 'adopted' ? [row] : [],
    more: false,
  });
  const refunds = async () => ({ rows: [], more: false });
  const { earlier } = await findRefundKey({ intents, refunds }, order, undefined);
  expect(earlier?.intent).toBe(isSame ? made.id : undefined);
});

it('a refund has the same key at all terminals of a deployment, and a different key in other deployments', async () => {
  const none = async () => ({ rows: [], more: false });
  const keyAt = async (instance: string | undefined) =>
    (await findRefundKey({ intents: none, refunds: none }, order, instance)).key;
  const keys = [await keyAt('a'), await keyAt('b'), await keyAt(undefined)];
  expect(await keyAt('a')).toBe(keys[0]);
  expect(new Set(keys).size).toBe(3);
});
