import { randomUUID } from 'node:crypto';
import type { AuditLine, AuditLog } from '../../base/audit.js';
import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import type { Logger } from '../../base/log.js';
import { longestLateness, type ProviderAnswer, ProviderError } from '../providers/provider.js';
import type { PaymentStores } from '../store.js';
import { actLine, adoptedSince, type Intent, refundOf } from './intent.js';
import { unknownOutcome } from './intent-errors.js';
import { type Outcomes, readMade } from './outcomes.js';

/** Stores what is known of an act; gives the answer of one that made something. May be repeated. */
type Store = () => Promise<ProviderAnswer | undefined>;

/** An act of which it is known what came of it, and that is not stored. */
export interface UnstoredAct {
  readonly intent: Intent;
  readonly store: Store;
}

type UnstoredActs = ReturnType<typeof createUnstoredActs>;

/** What is known of acts but could not be stored yet, by intent. */
export function createUnstoredActs() {
  const acts = new Map<string, UnstoredAct>();
  return {
    /** Stores what is known of an act, which is remembered until that succeeds. */
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

interface ActEndingOptions {
  readonly stores: Pick<PaymentStores, 'intents' | 'refunds'>;
  readonly outcomes: Outcomes;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * How calls that move money end which did not clearly make something: refused, in doubt, or never sent. Each is
 * stored before its client hears of it; what cannot be stored is remembered among the unstored.
 */
export function createActEndings(
  { stores, outcomes, audit, clock, log }: ActEndingOptions,
  unstored: UnstoredActs,
) {
  const { intents, refunds } = stores;

  /** Stores what could not be stored before. What turns out then to be another's operation is in doubt. */
  async function storeAgain({ intent, store }: UnstoredAct): Promise<ProviderAnswer | undefined> {
    try {
      return await unstored.store(intent, store);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      throw await doubt(intent, error);
    }
  }

  /** Writes down that the act is over, and with what outcome. */
  const write = (intent: Intent, outcome: AuditLine['outcome'], operationId?: string) =>
    audit.end(intent, actLine(intent, outcome, { time: clock.now(), operationId }));

  /**
   * Ends an act that has sent nothing while another process makes the same request. The ID of its audit line is random,
   * because the other process's line may have the usual ID.
   */
  async function withdraw(intent: Intent): Promise<void> {
    const line = actLine(intent, 'failed', { time: clock.now() });
    await audit.end(intent, { ...line, id: randomUUID() });
  }

  /** Nothing was sent, and nothing is: the client may have done the same under another key since. */
  async function abandon(intent: Intent, mayRepeat: boolean): Promise<AppError> {
    await unstored.store(intent, async () => {
      // To an idempotent provider, another process may be sending a repeat of it right now.
      if (!mayRepeat) await closeOwn(intent);
      await write(intent, 'failed');
      return undefined;
    });
    return new AppError(
      'storage_unavailable',
      'The service stood still for too long before it asked the provider: nothing was done. Try again.',
      { headers: { 'Retry-After': '1' } },
    );
  }

  /**
   * Ends an act that failed before anything was sent, and returns the failure. If another process put the act in doubt
   * while this one was suspended, the act is closed as never made.
   */
  async function giveUp(intent: Intent, error: unknown, mayRepeat: boolean): Promise<unknown> {
    if (await isOwnDoubt(intent).catch(() => false)) return abandon(intent, mayRepeat);
    await withdraw(intent);
    return error;
  }

  /** Ends an act that made nothing. An intent that was already in doubt stays so, as this says nothing about it. */
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

  /** Nobody knows what the provider made. The client hears so also where that could not be stored. */
  async function doubt(intent: Intent, error: ProviderError): Promise<ProviderError> {
    const { id, kind, amount, organizationId: organization } = intent;
    log.error(
      { intent: id, kind, amount, organization, reason: error.message },
      'It is not known whether the provider has moved money; it is asked again until that is clear.',
    );
    const { late } = error;
    const answerUntil = late ? clock.now() + longestLateness : undefined;
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
      .catch((err) => log.error({ intent: id, err }, 'An act in doubt could not be stored yet.'));
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

  /** Stores until when a late answer may come; an earlier attempt of the same request may be in doubt already. */
  async function awaitAnswer({ id }: Intent, answerUntil: number): Promise<void> {
    await intents.change(id, (kept) =>
      kept.state === 'in_doubt' ? { ...kept, answerUntil } : undefined,
    );
  }

  /**
   * Closes an intent after a late refusal, which is as clear as one in time. It says nothing about earlier attempts that
   * were in doubt, nor about later ones that may still be answered.
   */
  async function closeRefused(
    intent: Intent,
    { refusal, answerUntil }: { refusal: unknown; answerUntil: number | undefined },
  ): Promise<void> {
    if (!(refusal instanceof ProviderError) || !refusal.isClear) return;
    const kept = await intents.find(intent.id);
    if (kept?.answerUntil === answerUntil) await closeOwn(intent);
  }

  /** Closes an intent of which nothing was made, if it is in doubt; not one that was in doubt before it. */
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
      log.error({ intent: id, err }, 'A late answer could not be used. Ask the provider.');
    }
  }

  return { write, storeAgain, withdraw, abandon, giveUp, refuse, doubt };
}
