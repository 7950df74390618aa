import { join } from 'node:path';
import { compareTexts, type RecordReader } from '../../base/records.js';
import { statesInOrder } from '../../payments/records.js';
import { keptFor } from '../../payments/store.js';
import { listed } from './listed.js';
import { type OldDamage, readStates } from './old-files.js';

/** Cashiers' sessions, payments, and answers kept for requests that come again. */
export function readPayments(on: OldDamage, folder: string, now: number): RecordReader[] {
  return [
    {
      kind: 'cashier-session',
      async *read() {
        const files = readStates(on, join(folder, 'sessions'), ['kept', 'erased'], ['kept']);
        for await (const { record } of files) yield record;
      },
    },
    {
      kind: 'payment',
      async *read() {
        const files = readStates(on, folder, statesInOrder);
        for await (const { state, record } of files) yield { ...record, state };
      },
    },
    listed('payment-answer', async () => {
      type Answer = { readonly body: string; readonly answer: object; readonly at: number };
      const found = [];
      const files = readStates<Answer>(on, join(folder, 'idempotency'), ['kept']);
      for await (const { id: name, record } of files) {
        const { body, answer, at } = record;
        if (at + keptFor > now) found.push({ name, body, answer, expires: at + keptFor });
      }
      return found.sort((a, b) => compareTexts(a.name, b.name));
    }),
  ];
}
