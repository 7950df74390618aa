import { randomUUID } from 'node:crypto';
import type { AuditLine } from '../../base/audit.js';
import { AppError } from '../../base/errors.js';
import { maxLateness, type ProviderAnswer, ProviderError } from '../providers/provider.js';
import { actLine, adoptedSince, type Intent, refundOf } from './intent.js';
import { unknownOutcome } from './intent-errors.js';
import { type IntentParts, readMade } from './outcomes.js';

/** Stores the outcome of a call. Returns the answer if the call succeeded. May be called again. */
type Store = () => Promise<ProviderAnswer | undefined>;

/** A call whose outcome is known but not stored yet. */
export interface UnstoredAct {
  readonly intent: Intent;
  readonly store: Store;
}

type UnstoredActs = ReturnType<typeof createUnstoredActs>;

/** Keeps outcomes that could not be stored yet, by intent. */
export function createUnstoredActs() {
  const acts = new Map<string, UnstoredAct>();
  return {
    /** Stores the outcome of a call and keeps it in memory until it is stored. */
    async store(intent: Intent, store: Store): Promise<ProviderAnswer | undefined> {
      acts.set(intent.id, { intent, store });
      const answer = await store();
      acts.delete(intent.id);
      return answer;
    },
    find: (id: string): UnstoredAct | undefined => acts.get(id),
    all: (): readonly UnstoredAct[] => [...acts.values()],
  };
}

/**
 * Ends calls that did not clearly succeed: they were refused, are in doubt, or were never sent. Stores each outcome
 * before the client receives it. Keeps an outcome that cannot be stored in `unstored`.
 */
export function createActEndings(
  { stores, outcomes, audit, clock, log }: IntentParts,
  unstored: UnstoredActs,
) {
  const { intents, refunds } = stores;

  /**
   * Stores an outcome that could not be stored before. If its operation ID belongs to a different payment, the call is
   * in doubt.
   */
  async function storeAgain({ intent, store }: UnstoredAct): Promise<ProviderAnswer | undefined> {
    try {
      return await unstored.store(intent, store);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      throw await doubt(intent, error);
    }
  }

  /** Stores the end of the call and its outcome. */
  const write = (intent: Intent, outcome: AuditLine['outcome'], operationId?: string) =>
    audit.end(intent, actLine(intent, outcome, { time: clock.now(), operationId }));

  /**
   * Ends a call that sent nothing because another process is making the same request. The ID of its audit log entry is
   * random, because the other process's entry may have the usual ID.
   */
  async function withdraw(intent: Intent): Promise<void> {
    const line = actLine(intent, 'failed', { time: clock.now() });
    await audit.end(intent, { ...line, id: randomUUID() });
  }

  /**
   * Ends a call without sending it, because the client may have made the same request under a different key in the
   * meantime.
   */
  async function abandon(intent: Intent, mayRepeat: boolean): Promise<AppError> {
    await unstored.store(intent, async () => {
      // With an idempotent provider, another process may be repeating it at this moment.
      if (!mayRepeat) await closeOwn(intent);
      await write(intent, 'failed');
      return undefined;
    });
    return new AppError(
      'storage_unavailable',
      'The service was suspended for too long before it called the provider. No request was sent. Try again.',
      { headers: { 'Retry-After': '1' } },
    );
  }

  /**
   * Ends a call that failed before anything was sent, and returns the failure. If another process put the call in doubt
   * while this one was suspended, the intent is closed as never made.
   */
  async function giveUp(intent: Intent, error: unknown, mayRepeat: boolean): Promise<unknown> {
    if (await isOwnDoubt(intent).catch(() => false)) return abandon(intent, mayRepeat);
    await withdraw(intent);
    return error;
  }

  /** Ends a call that had no effect. An earlier attempt that is in doubt stays in doubt. */
  async function refuse<Failure extends Error>(intent: Intent, error: Failure): Promise<Failure> {
    await unstored.store(intent, async () => {
      const isClear = intent.kind === 'refund' && !(await isDoubted(intent));
      if (isClear && !(await refunds.find(intent.id)))
        await refunds.put(refundOf(intent, 'failed'));
      await write(intent, 'failed');
      return undefined;
    });
    return error;
  }

  /** Ends a call whose outcome is unknown. Returns the error for the client, even if the intent could not be stored. */
  async function doubt(intent: Intent, error: ProviderError): Promise<ProviderError> {
    const { id, kind, amount, organizationId: organization } = intent;
    log.error(
      { intent: id, kind, amount, organization, reason: error.message },
      'It is unknown whether the provider moved money. The gateway keeps checking until the outcome is known.',
    );
    const { late } = error;
    const answerUntil = late ? clock.now() + maxLateness : undefined;
    await unstored
      .store(intent, async () => {
        const known = await intents.find(id);
        const made = known && adoptedSince(known, intent);
        if (made === undefined) {
          await intents.add(intent);
          if (answerUntil !== undefined) await awaitAnswer(intent, answerUntil);
        }
        await write(intent, made === undefined ? 'unknown' : 'success', made);
        return undefined;
      })
      .catch((err) =>
        log.error({ intent: id, err }, 'A call in doubt could not be stored. Retrying.'),
      );
    late?.then(
      (answer) => settleLate(id, () => outcomes.adoptLate(intent, readMade(intent, answer))),
      (refusal) => settleLate(id, () => closeRefused(intent, { refusal, answerUntil })),
    );
    return unknownOutcome(error);
  }

  async function isOwnDoubt({ id, createdAt }: Intent): Promise<boolean> {
    const kept = await intents.find(id);
    return kept?.state === 'in_doubt' && kept.createdAt === createdAt;
  }

  const isDoubted = async ({ id }: Intent) => (await intents.find(id))?.state === 'in_doubt';

  /**
   * Stores the time until which a late answer may arrive. An earlier attempt of the same request may already be in
   * doubt.
   */
  async function awaitAnswer({ id }: Intent, answerUntil: number): Promise<void> {
    await intents.change(id, (kept) =>
      kept.state === 'in_doubt' ? { ...kept, answerUntil } : undefined,
    );
  }

  /**
   * Closes an intent after a late refusal. Earlier attempts that were in doubt, and later ones that may still be
   * answered, are not affected.
   */
  async function closeRefused(
    intent: Intent,
    { refusal, answerUntil }: { refusal: unknown; answerUntil: number | undefined },
  ): Promise<void> {
    if (!(refusal instanceof ProviderError) || !refusal.isClear) return;
    const kept = await intents.find(intent.id);
    if (kept?.answerUntil === answerUntil) await closeOwn(intent);
  }

  /** Closes the intent of this attempt as never made. An earlier attempt that is in doubt stays in doubt. */
  async function closeOwn(intent: Intent): Promise<void> {
    if ((await intents.find(intent.id))?.createdAt !== intent.createdAt) return;
    await outcomes.closeNotMade(intent, 'gateway');
  }

  async function settleLate(id: string, settle: () => Promise<unknown>): Promise<void> {
    try {
      const known = unstored.find(id);
      if (known) await storeAgain(known);
      await settle();
    } catch (err) {
      log.error({ intent: id, err }, 'A late answer could not be stored. Contact the provider.');
    }
  }

  return { write, storeAgain, withdraw, abandon, giveUp, refuse, doubt };
}
