import { join } from 'node:path';
import { leaseMs } from '../../storage/lease-times.js';
import type { PaymentStores, ReadPaymentStores } from '../store.js';
import { openJsonAnswerStore } from './answer-store.js';
import { openJsonIntentStore } from './intent-store.js';
import { type JsonPaymentStoreOptions, openJsonPaymentStore } from './payment-store.js';
import { openJsonRefundStore } from './refund-store.js';
import { openJsonSessionStore } from './session-store.js';
import { openJsonSignInStore } from './sign-in-store.js';

/** What is stored in JSON files, for those who change nothing; nothing is made or tidied. */
export async function readJsonPaymentStores(
  options: JsonPaymentStoreOptions,
): Promise<ReadPaymentStores> {
  const reading = { ...options, readOnly: true };
  return {
    payments: await openJsonPaymentStore(reading),
    intents: await openJsonIntentStore(reading),
    refunds: await openJsonRefundStore(reading),
  };
}

/** Everything in JSON files, shared with other processes of the same data directory. */
export async function openJsonPaymentStores(
  options: JsonPaymentStoreOptions,
): Promise<PaymentStores> {
  const { folder, clock } = options;
  const parts = {
    payments: await openJsonPaymentStore(options),
    sessions: await openJsonSessionStore(
      join(folder, 'sessions'),
      clock,
      options.onDamaged,
      options.files,
    ),
    answers: await openJsonAnswerStore(join(folder, 'idempotency'), clock, options.files),
    intents: await openJsonIntentStore(options),
    refunds: await openJsonRefundStore(options),
    signIns: await openJsonSignInStore(join(folder, 'sign-ins'), clock),
  };
  return {
    ...parts,
    // Processes that can see this one leave it its lane until it dies; others take the lane over after this time.
    takeoverTime: leaseMs,
    async close() {
      await Promise.all(Object.values(parts).map((part) => part.close()));
    },
  };
}
