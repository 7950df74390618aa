import { join } from 'node:path';
import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import { type FileLayer, systemFiles } from '../../base/files/file-layer.js';
import { hasExpired, ranAtOf } from '../../base/running-time.js';
import { asDamage } from '../../storage/json/check/data-checker.js';
import { createRecordCounter } from '../../storage/json/records/record-counter.js';
import { dayOf } from '../../storage/json/records/record-file.js';
import { openRecordFolder } from '../../storage/json/records/record-folder.js';
import { openShortLived } from '../../storage/json/records/short-lived.js';
import { leaseMs } from '../../storage/lease-times.js';
import { assertSame } from '../idempotency.js';
import type { ProviderAnswer } from '../providers/provider.js';
import { codesPerSignIn, keptFor, maxSignIns, signInLife, withMarksOf } from '../records.js';
import type {
  AnswerStore,
  PaymentCounts,
  PaymentStores,
  ReadPaymentStores,
  SessionStore,
  SignInStore,
} from '../store.js';
import { openJsonIntentStore, openJsonRefundStore } from './acts.js';
import { type JsonPaymentStoreOptions, openJsonPaymentStore } from './payment-store.js';
import {
  answerPlan,
  intentPlan,
  type KeptAnswer,
  paymentPlan,
  sessionPlan,
  signInPlan,
} from './plans.js';

/** Opens the JSON stores for reading. Does not create or remove files. */
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

/** Opens the JSON stores. Several processes can use the same data directory at the same time. */
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
    // Only processes that cannot detect whether this one is alive take over its calls after this time.
    takeoverTime: leaseMs,
    async close() {
      await Promise.all(Object.values(parts).map((part) => part.close()));
    },
  };
}

/** Stores each session in a file. A damaged session is treated as ended, and `onDamaged` is called once for it. */
export async function openJsonSessionStore(
  folder: string,
  clock: Clock,
  onDamaged: (error: AppError) => void,
  files: FileLayer = systemFiles,
): Promise<SessionStore & { close(): Promise<void> }> {
  const sessions = await openRecordFolder({ folder, plan: sessionPlan, clock, files });
  const damaged = new Set<string>();

  function reportDamage(id: string, error: unknown): undefined {
    if (!(error instanceof AppError) || error.code !== 'data_damaged') throw error;
    if (!damaged.has(id)) onDamaged(error);
    damaged.add(id);
  }

  return {
    async add(session) {
      await sessions.create(session.id, session);
    },
    find: (id) =>
      sessions.find(id).then(
        (found) => found?.record,
        (error) => reportDamage(id, error),
      ),
    update: (session) =>
      sessions.change(session.id, (kept) => ({
        ...(kept ? { record: withMarksOf(kept, session) } : {}),
        result: undefined,
      })),
    erase: ({ id }) => sessions.remove(id),
    ids: () => sessions.allIds('kept'),
    close: sessions.close,
  };
}

/** Stores each pending sign-in in a file. */
async function openJsonSignInStore(
  folder: string,
  clock: Clock,
): Promise<SignInStore & { close(): Promise<void> }> {
  const signIns = await openShortLived({
    folder,
    plan: signInPlan,
    clock,
    life: signInLife,
    max: maxSignIns,
  });

  return {
    find: (processId) => signIns.find(processId),
    async setPhone(processId, phone) {
      const isKnown = await signIns.change(processId, (signIn) =>
        signIn ? { record: { ...signIn, phone }, result: true } : { result: false },
      );
      if (!isKnown) await signIns.add(processId, { phone, wrongCodes: 0 });
    },
    takeCode: (processId) =>
      signIns.change(processId, (signIn) => {
        if (!signIn || signIn.wrongCodes >= codesPerSignIn) return { result: false };
        return { record: { ...signIn, wrongCodes: signIn.wrongCodes + 1 }, result: true };
      }),
    giveCodeBack: (processId) =>
      signIns.change(processId, (signIn) => {
        if (!signIn) return { result: undefined };
        const wrongCodes = Math.max(0, signIn.wrongCodes - 1);
        return { record: { ...signIn, wrongCodes }, result: undefined };
      }),
    remove: (processId) => signIns.remove(processId),
    close: signIns.close,
  };
}

/** Stores each answer in a file, in one folder per day. */
export async function openJsonAnswerStore(
  folder: string,
  clock: Clock,
  files: FileLayer = systemFiles,
): Promise<AnswerStore & { close(): Promise<void> }> {
  const answers = await openRecordFolder({ folder, plan: answerPlan, clock, files });

  async function keep(name: string, record: KeptAnswer): Promise<true> {
    if (await answers.create(name, record)) return true;
    // Replaces an expired answer.
    await answers.change(name, () => ({ record, result: undefined }));
    return true;
  }

  async function find(name: string, body: string): Promise<ProviderAnswer | undefined> {
    const kept = (await answers.find(name))?.record;
    if (!kept || hasExpired(kept, keptFor, clock)) return undefined;
    assertSame(kept.body, body);
    return kept.answer;
  }

  return {
    find,
    async once(name, body, work) {
      const kept = await find(name, body);
      if (kept) return kept;
      return work((answer) => keep(name, { body, answer, at: clock.now(), ...ranAtOf(clock) }));
    },
    async removeExpired(now) {
      // Only days that ended more than 24 hours ago can be removed.
      await answers.removeBefore('kept', dayOf(now - keptFor), async (names) => {
        // Damaged answers stay until a repair moves them.
        const found = await Promise.all(names.map((name) => answers.find(name).catch(asDamage)));
        return found.flatMap((each) =>
          each && 'record' in each && hasExpired(each.record, keptFor, clock) ? [each.id] : [],
        );
      });
    },
    close: answers.close,
  };
}

/** Creates the function that counts records by their file names. */
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
