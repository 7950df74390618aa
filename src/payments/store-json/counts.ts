import { join } from 'node:path';
import { createRecordCounter } from '../../storage/json/records/record-counter.js';
import type { PaymentCounts } from '../counts.js';
import { intentPlan, paymentPlan, sessionPlan } from './plans.js';

/** Gives what counts the payments in a folder, by the names of their files. */
export function createJsonPaymentCounter(folder: string): () => Promise<PaymentCounts> {
  const payments = createRecordCounter(folder, paymentPlan);
  const intents = createRecordCounter(join(folder, 'intents'), intentPlan);
  const sessions = createRecordCounter(join(folder, 'sessions'), sessionPlan);
  const countOpen = payments.withEarliest('open', ({ createdAt }) => createdAt);
  return async function countPayments() {
    const { count: open, earliest: oldestOpen } = await countOpen();
    return {
      open,
      unknown: await payments.count('unknown'),
      inDoubt: await intents.count('in_doubt'),
      ...(oldestOpen === undefined ? {} : { oldestOpen }),
      sessions: await sessions.count('kept'),
    };
  };
}
