import { join } from 'node:path';
import { eachOf, type RecordReader, type RecordWriter } from '../../base/records.js';
import { createSpoolWriter, readSpool } from '../../storage/json/spool-transfer.js';
import { keptFor } from '../answer-store.js';
import { type Payment, type PaymentState, paymentKey } from '../payment.js';
import {
  type AnswerRecord,
  endedDay,
  type KeptRecord,
  type SandboxKind,
  sandboxKinds,
  statesInOrder,
} from '../records.js';
import type { StoredSession } from '../sessions/session-store.js';
import type { KeptAnswer } from './answer-store.js';

/** Files written at once. */
const concurrency = 16;
const kept = { kept: 'flat' } as const;

/** How the spools of payments lie in their folder, `<data>/payments`. */
function plansIn(folder: string) {
  return {
    payments: { folder, states: { open: 'flat', ended: 'by-day-and-id', unknown: 'flat' } },
    sessions: { folder: join(folder, 'sessions'), states: { kept: 'flat', erased: 'by-day' } },
    answers: { folder: join(folder, 'idempotency'), states: { kept: 'by-day' } },
  } as const;
}

/** The records of payments in a folder that nobody works on. `now` tells which answers have expired. */
export function readJsonPayments(folder: string, now: number): readonly RecordReader[] {
  const { payments, sessions, answers } = plansIn(folder);
  return [
    {
      kind: 'cashier-session',
      async *read() {
        for await (const { record } of readSpool<StoredSession, 'kept' | 'erased'>(
          sessions,
          'kept',
        ))
          yield record;
      },
    },
    {
      kind: 'payment',
      async *read() {
        for (const state of statesInOrder) {
          for await (const { record } of readSpool<Payment, PaymentState>(payments, state)) {
            yield { ...record, state };
          }
        }
      },
    },
    {
      kind: 'payment-answer',
      async *read() {
        for await (const entry of readSpool<KeptAnswer, 'kept'>(answers, 'kept', 'by id')) {
          const { body, answer, at } = entry.record;
          if (at + keptFor > now) yield { name: entry.id, body, answer, expires: at + keptFor };
        }
      },
    },
  ];
}

/** Fills the folder of payments, which holds nothing yet. */
export async function fillJsonPayments(folder: string): Promise<readonly RecordWriter[]> {
  const plans = plansIn(folder);
  const payments = await createSpoolWriter<PaymentState>(plans.payments);
  const sessions = await createSpoolWriter<'kept' | 'erased'>(plans.sessions);
  const answers = await createSpoolWriter<'kept'>(plans.answers);
  return [
    {
      kind: 'cashier-session',
      async write(records) {
        await eachOf(records as AsyncIterable<StoredSession>, concurrency, (session) =>
          sessions.put(session.id, 'kept', session),
        );
        await sessions.finish();
      },
    },
    {
      kind: 'payment',
      async write(records) {
        await eachOf(records as AsyncIterable<Payment>, concurrency, (payment) => {
          const day = payment.state === 'ended' ? endedDay(payment) : undefined;
          return payments.put(paymentKey(payment), payment.state, payment, day);
        });
        await payments.finish();
      },
    },
    {
      kind: 'payment-answer',
      async write(records) {
        await eachOf(records as AsyncIterable<AnswerRecord>, concurrency, (record) => {
          const { name, body, answer, expires } = record;
          const at = expires - keptFor;
          const day = new Date(at).toISOString().slice(0, 10);
          return answers.put(name, 'kept', { body, answer, at } satisfies KeptAnswer, day);
        });
        await answers.finish();
      },
    },
  ];
}

/** What the sandbox provider keeps in its folder, whichever storage the payments are in. */
export function readSandbox(folder: string): readonly RecordReader[] {
  return Object.entries(sandboxKinds).map(([kind, name]) => ({
    kind,
    async *read() {
      const plan = { folder: join(folder, name), states: kept };
      for await (const { id, record } of readSpool<KeptRecord['record'], 'kept'>(plan, 'kept')) {
        yield { id, record } satisfies KeptRecord;
      }
    },
  }));
}

/** Fills the sandbox's folder; a record with the id of one that is there takes its place. */
export function fillSandbox(folder: string): readonly RecordWriter[] {
  return (Object.keys(sandboxKinds) as SandboxKind[]).map((kind) => ({
    kind,
    async write(records) {
      let spool: Awaited<ReturnType<typeof createSpoolWriter<'kept'>>> | undefined;
      await eachOf(records as AsyncIterable<KeptRecord>, concurrency, async ({ id, record }) => {
        spool ??= await createSpoolWriter<'kept'>({
          folder: join(folder, sandboxKinds[kind]),
          states: kept,
        });
        await spool.put(id, 'kept', record);
      });
      await spool?.finish();
    },
  }));
}
