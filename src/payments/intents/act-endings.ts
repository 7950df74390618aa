import { randomUUID } from 'node:crypto';
import type { AuditLine } from '../../base/audit.js';
import { AppError } from '../../base/errors.js';
import { maxLateness, type ProviderAnswer, ProviderError } from '../providers/provider.js';
import { actLine, adoptedSince, type Intent, refundOf } from './intent.js';
import { unknownOutcome } from './intent-errors.js';
import { type IntentParts, readMade } from './outcomes.js';

/** Stores the outcome of a call. Returns the answer of a call that made something. May be repeated. */
type Store = () => Promise<ProviderAnswer | undefined>;

/** A call whose outcome is known but not stored yet. */
export interface UnstoredAct {
  readonly intent: Intent;
  readonly store: Store;
}

type UnstoredActs = ReturnType<typeof createUnstoredActs>;

/** Remembers outcomes that could not be stored yet, by intent. */
export function createUnstoredActs() {
  const acts = new Map<string, UnstoredAct>();
  return {
    /** Stores the outcome of a call and remembers it until that succeeds. */
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
 * Ends calls that did not clearly make something: refused, in doubt, or never sent. Each outcome is stored before the
 * client receives it; one that cannot be stored is remembered in `unstored`.
 */
export function createActEndings(
  { stores, outcomes, audit, clock, log }: IntentParts,
  unstored: UnstoredActs,
) {
  const { intents, refunds } = stores;

  /** Stores an outcome that could not be stored before. If the operation belongs to another payment, it is in doubt. */
  async function storeAgain({ intent, store }: UnstoredAct): Promise<ProviderAnswer | undefined> {
    try {
      return await unstored.store(intent, store);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      throw await doubt(intent, error);
    }
  }

  /** Stores that the call is over, with its outcome. */
  const write = (intent: Intent, outcome: AuditLine['outcome'], operationId?: string) =>
    audit.end(intent, actLine(intent, outcome, { time: clock.now(), operationId }));

  /**
   * Ends a call that has sent nothing because another process makes the same request. The ID of its audit line is
   * random, because the other process's line may have the usual ID.
   */
  async function withdraw(intent: Intent): Promise<void> {
    const line = actLine(intent, 'failed', { time: clock.now() });
    await audit.end(intent, { ...line, id: randomUUID() });
  }

  /** Ends a call without sending it: the client may have made the same request under another key in the meantime. */
  async function abandon(intent: Intent, mayRepeat: boolean): Promise<AppError> {
    await unstored.store(intent, async () => {
      // With an idempotent provider, another process may be repeating it at this moment.
      if (!mayRepeat) await closeOwn(intent);
      await write(intent, 'failed');
      return undefined;
    });
    return new AppError(
      'storage_unavailable',
      'The service was suspended for too long before it called the provider. Nothing was done. Try again.',
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

  /** Ends a call that made nothing. If an earlier attempt is in doubt, it stays in doubt. */
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

  /** Ends a call whose outcome is unknown. Returns the client's error even if the doubt could not be stored. */
  async function doubt(intent: Intent, error: ProviderError): Promise<ProviderError> {
    const { id, kind, amount, organizationId: organization } = intent;
    log.error(
      { intent: id, kind, amount, organization, reason: error.message },
      'It is not known whether the provider moved money. The gateway keeps asking until it is.',
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
      .catch((err) => log.error({ intent: id, err }, 'A call in doubt could not be stored yet.'));
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

  /** Stores how long a late answer may come. An earlier attempt of the same request may already be in doubt. */
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
      log.error({ intent: id, err }, 'A late answer could not be stored. Ask the provider.');
    }
  }

  return { write, storeAgain, withdraw, abandon, giveUp, refuse, doubt };
}
