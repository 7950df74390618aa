import { AppError } from '../../base/errors.js';
import { hasExpired, isRecent, ranAtOf } from '../../base/running-time.js';
import { createTurns } from '../../base/turns.js';
import { assertSame, createOnce, type RepeatKey } from '../idempotency.js';
import { type ProviderAnswer, type ProviderCall, ProviderError } from '../providers/provider.js';
import { keptFor } from '../records.js';
import type { Cashier } from '../sessions/sessions.js';
import type { Keep } from '../store.js';
import { createActEndings, createUnstoredActs, type UnstoredAct } from './act-endings.js';
import { createBeginAct, RunsElsewhere } from './begin-act.js';
import {
  adopted,
  type Intent,
  intentIdOf,
  isKeyTaken,
  nextIntentId,
  requestName,
} from './intent.js';
import { inDoubt, unstoredOutcome } from './intent-errors.js';
import { type IntentParts, readMade } from './outcomes.js';
import { createRecovered } from './recovered.js';
import { createRefundLimit } from './refund-limit.js';

/** A cashier's order to move money. */
export interface MoneyOrder extends Pick<Intent, 'kind' | 'amount' | 'profileId'> {
  /** The phone of the customer who receives the invoice. */
  readonly clientPhone?: string | undefined;
  /** The operation to refund. */
  readonly paymentId?: string | undefined;
  readonly reference?: string | undefined;
  readonly cashier: Cashier;
  readonly repeat: RepeatKey;
  /** Digest of the fields that must be equal in a repeated request. */
  readonly body: string;
  /** Makes the call. */
  ask(call: Pick<ProviderCall, 'idempotencyKey' | 'mayRepeat'>): Promise<ProviderAnswer>;
  /** Returns the current answer about the operation that an earlier request with this key created. */
  present(intent: Intent): Promise<ProviderAnswer>;
}

export type MoneyCalls = ReturnType<typeof createMoneyCalls>;

/**
 * Makes calls that move money. An intent is stored before each call, and its outcome before the client receives it. If
 * the outcome is unclear, the intent is in doubt.
 */
export function createMoneyCalls(options: IntentParts) {
  const { stores, sessions, outcomes, audit, clock } = options;
  const { intents, refunds } = stores;
  const once = createOnce(stores.answers);
  const unstored = createUnstoredActs();
  /** Calls in progress. Each one stores its outcome. */
  const underWay = new Set<Promise<unknown>>();
  const endings = createActEndings(options, unstored);
  const recovered = createRecovered(options);
  const recover = () => audit.recover(recovered);
  const acts = createBeginAct({ ...options, endings, recover });
  const limit = createRefundLimit(options);
  /** Queues refunds of one payment while they begin, so that a second one does not cause the first to be refused. */
  const inTurn = createTurns<string>();

  /** Returns the ID of a new intent, which is the same for every repetition of its request. */
  async function idFor({ kind, repeat }: MoneyOrder, name: string): Promise<string> {
    let id = intentIdOf(name);
    if (kind !== 'refund' || repeat.isNew) return id;
    for (;;) {
      const before = await refunds.find(id);
      if (before?.outcome !== 'success') return id;
      const { createdAt: at, ranAt } = before;
      if (!hasExpired({ at, ranAt }, keptFor, clock)) return id;
      const intent = await intents.find(id);
      if (intent && (intent.state === 'in_doubt' || isKeyTaken(intent, clock))) return id;
      id = nextIntentId(before);
    }
  }

  function intentFor(order: MoneyOrder, key: string, id: string): Intent {
    const { kind, amount, profileId, clientPhone, paymentId, reference, body } = order;
    const { organizationId, id: sessionId, phone: cashier, capabilities } = order.cashier.session;
    return {
      id,
      state: 'in_doubt',
      ...{ kind, organizationId, profileId, sessionId, cashier, amount, body, key },
      ...(clientPhone === undefined ? {} : { clientPhone }),
      ...(paymentId === undefined ? {} : { paymentId }),
      ...(reference === undefined ? {} : { reference }),
      ...(capabilities?.sandbox ? { sandbox: true } : {}),
      createdAt: clock.now(),
      ...ranAtOf(clock),
    };
  }

  /**
   * Begins the call of an intent. Rejects a refund that exceeds the remaining amount. Returns the latest monotonic time
   * at which the call is known to have belonged to this process.
   */
  async function begin(order: MoneyOrder, intent: Intent): Promise<number> {
    const mayRepeat = isIdempotent(order);
    if (intent.kind !== 'refund') return (await acts.begin(intent, mayRepeat)).provenAt;
    const payments = await limit.paymentsOf(intent);
    const [{ id } = { id: intent.paymentId }] = payments;
    return inTurn(`${intent.organizationId} ${id}`, async () => {
      const { provenAt, others } = await acts.begin(intent, mayRepeat);
      await limit.assertLeft(intent, payments, others).catch(async (error: Error) => {
        throw await endings.refuse(intent, error);
      });
      return provenAt;
    });
  }

  async function storeAgain(known: UnstoredAct): Promise<ProviderAnswer | undefined> {
    try {
      return await endings.storeAgain(known);
    } catch (error) {
      throw unstoredOutcome(error);
    }
  }

  /** Returns the answer of an earlier request under the same key; undefined if the request may be made. */
  async function answerBefore(
    order: MoneyOrder,
    { id, body }: Intent,
  ): Promise<ProviderAnswer | undefined> {
    const known = unstored.find(id);
    if (known) assertSame(known.intent.body, body);
    const answer = known && (await storeAgain(known));
    if (answer) return answer;
    await outcomes.whenAdopted(id);
    const before = await intents.find(id);
    if (!before || before.state === 'not_made' || before.state === 'abandoned') return undefined;
    if (before.state === 'adopted' && !isKeyTaken(before, clock)) return undefined;
    assertSame(before.body, body);
    if (before.state === 'adopted') return order.present(before);
    // After that time, a provider may have forgotten the key and would carry out the request again.
    const { createdAt: at, ranAt } = before;
    if (isIdempotent(order) && isRecent({ at, ranAt }, keptFor, clock)) return undefined;
    throw inDoubt(before);
  }

  /**
   * Repeats the check of `answerBefore` after the call has begun. In the meantime, another process may have put the
   * intent in doubt or made the same request.
   */
  async function answerSince(
    order: MoneyOrder,
    intent: Intent,
    isAgain: boolean,
  ): Promise<ProviderAnswer | undefined> {
    try {
      const answer = (await answerBefore(order, intent)) ?? (await keptAnswer(intent));
      const isMade = answer ?? (intent.kind === 'refund' && (await isSuccess(intent)));
      if (!isMade) return undefined;
      // The other process stores its answer. If the answer is lost, the payment is read from the provider.
      if (!answer && !isAgain) throw new RunsElsewhere(intent);
      const present = answer ?? (await order.present(intent));
      await endings.withdraw(intent);
      return present;
    } catch (error) {
      throw await endings.giveUp(intent, error, isIdempotent(order));
    }
  }

  /** Returns the answer of a process that took over the key while this process was suspended. */
  const keptAnswer = (intent: Intent) => stores.answers.find(requestName(intent), intent.body);

  const isSuccess = async ({ id }: Intent) => (await refunds.find(id))?.outcome === 'success';

  async function make(
    order: MoneyOrder,
    intent: Intent,
    { keep, isAgain }: { readonly keep: Keep; readonly isAgain: boolean },
  ): Promise<ProviderAnswer> {
    const before = order.repeat.isNew ? undefined : await answerBefore(order, intent);
    if (before) return before;
    const begunAt = await begin(order, intent);
    const since = order.repeat.isNew ? undefined : await answerSince(order, intent, isAgain);
    if (since) return since;
    const mayRepeat = isIdempotent(order);
    if (acts.isTakenOver(begunAt)) throw await endings.abandon(intent, mayRepeat);
    let isMade = false;
    try {
      const answer = await order.ask({ idempotencyKey: intent.key, mayRepeat });
      const made = readMade(intent, answer);
      isMade = true;
      let isFirst = true;
      await unstored.store(intent, async () => {
        const isLate = !isFirst;
        isFirst = false;
        await outcomes.store(intent, made);
        const isAlone = await keep(answer);
        // A client that received an error may be repeating its request, even with a generated key. The repeated request
        // waits for this call to end and must find its operation.
        if (isLate || !isAlone) {
          await intents.add(adopted(intent, made.operationId ?? intent.id, clock.now(), clock));
        }
        if (mayRepeat && !order.repeat.isNew) await outcomes.settle(intent, made);
        await endings.write(intent, 'success', made.operationId ?? undefined);
        return answer;
      });
      return answer;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw isMade ? unstoredOutcome(error) : error;
      throw await (error.isClear ? endings.refuse : endings.doubt)(intent, error);
    }
  }

  async function perform(order: MoneyOrder): Promise<ProviderAnswer> {
    const { cashier, kind, repeat, body } = order;
    const { organizationId } = cashier.session;
    const { key } = repeat;
    const name = requestName({ organizationId, kind, key });
    /** True after waiting for another process. */
    let isAgain = false;
    const begun = async (keep: Keep) =>
      make(order, intentFor(order, key, await idFor(order, name)), { keep, isAgain });
    const attempt = () => (repeat.isNew ? begun(async () => true) : once({ name, body }, begun));
    const release = sessions.hold(cashier.key);
    try {
      for (;;) {
        const answer = await attempt().catch((error: unknown) => {
          if (error instanceof RunsElsewhere) return acts.untilEnded(error.intent);
          throw error;
        });
        // The next attempt finds the other process's result, or makes the request.
        if (answer) return answer;
        isAgain = true;
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw error.telling({ headers: { 'Idempotency-Key': key } });
    } finally {
      release();
    }
  }

  function track<Result>(call: Promise<Result>): Promise<Result> {
    const tracked = call.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
    return tracked;
  }

  return {
    /**
     * Makes the call once for equal requests. Errors contain the key with which the request may be repeated, and
     * `outcome: "unknown"` if money may have moved.
     */
    perform: (order: MoneyOrder) => track(perform(order)),
    /** Registers a call that stores its own outcome, and returns its result. */
    track,
    /** Resolves once no call is in progress, so that the storage can be closed. */
    async idle(): Promise<void> {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
    /** Stores outcomes that could not be stored before. Throws if that fails again. */
    async retry(): Promise<void> {
      const failures: unknown[] = [];
      for (const known of unstored.all()) {
        await endings.storeAgain(known).catch((error) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
    /** Ends the calls of dead processes. Afterwards, each call either has a stored operation or is in doubt. */
    recover,
    /** Stops waiting for other processes. */
    close: acts.close,
  };
}

/** Returns whether the provider honours `Idempotency-Key`, so that repeating a call has no further effect. */
function isIdempotent({ cashier }: MoneyOrder): boolean {
  return cashier.session.capabilities?.idempotent === true;
}
