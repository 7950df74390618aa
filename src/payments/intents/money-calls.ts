import type { AuditLog } from '../../base/audit.js';
import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import type { Logger } from '../../base/log.js';
import { hasExpired, isRecent, ranAtOf } from '../../base/running-time.js';
import { createTurns } from '../../base/turns.js';
import { assertSame, type Once, type RepeatKey } from '../idempotency.js';
import type { PaymentFollower } from '../payment-follower.js';
import { type ProviderAnswer, type ProviderCall, ProviderError } from '../providers/provider.js';
import { keptFor } from '../records.js';
import type { Cashier, Sessions } from '../sessions/sessions.js';
import type { Keep, PaymentStores } from '../store.js';
import { createActEndings, createUnstoredActs, type UnstoredAct } from './act-endings.js';
import { createBeginAct, RunsElsewhere } from './begin-act.js';
import {
  adopted,
  endpointOf,
  type Intent,
  intentIdOf,
  isKeyTaken,
  nextIntentId,
  requestName,
} from './intent.js';
import { inDoubt, unstoredOutcome } from './intent-errors.js';
import { type Outcomes, readMade } from './outcomes.js';
import { createRecovered } from './recovered.js';
import { createRefundLimit } from './refund-limit.js';

/** What a cashier wants done with money. */
export interface MoneyOrder extends Pick<Intent, 'kind' | 'amount' | 'profileId'> {
  /** Of an invoice: whom it is for. */
  readonly clientPhone?: string | undefined;
  /** Of a refund: the operation it is of. */
  readonly paymentId?: string | undefined;
  readonly reference?: string | undefined;
  readonly cashier: Cashier;
  readonly repeat: RepeatKey;
  /** Digest of everything that makes a repeated request the same one. */
  readonly body: string;
  /** Makes the call. */
  ask(call: Pick<ProviderCall, 'idempotencyKey' | 'mayRepeat'>): Promise<ProviderAnswer>;
  /** What has become of the operation that an earlier request with this key has made. */
  present(intent: Intent): Promise<ProviderAnswer>;
}

export interface MoneyCallOptions {
  readonly stores: Pick<
    PaymentStores,
    'payments' | 'intents' | 'refunds' | 'answers' | 'takeoverTime'
  >;
  readonly sessions: Pick<Sessions, 'hold'>;
  readonly outcomes: Outcomes;
  readonly audit: AuditLog;
  readonly once: Once;
  readonly clock: Clock;
  readonly log: Logger;
  readonly follower: PaymentFollower;
  /** Milliseconds that a call to the provider may take. */
  readonly providerTimeout: number;
}

export type MoneyCalls = ReturnType<typeof createMoneyCalls>;

/**
 * Calls that move money. An intent is on disk before each, and every answer is: what was clearly made is
 * stored before the client hears of it, what was not clear becomes an intent in doubt.
 */
export function createMoneyCalls(options: MoneyCallOptions) {
  const { stores, sessions, outcomes, audit, once, clock } = options;
  const { intents, refunds } = stores;
  const unstored = createUnstoredActs();
  /** Calls that are under way; each stores its own outcome. */
  const underWay = new Set<Promise<unknown>>();
  const endings = createActEndings(options, unstored);
  const recovered = createRecovered(options);
  const recover = () => audit.recover(recovered);
  const acts = createBeginAct({ ...options, endings, recover });
  const limit = createRefundLimit(options);
  /** Begins refunds of one payment one after the other, so that the second does not cause the first to be refused. */
  const inTurn = createTurns<string>();

  /** The name of a new intent; the same for every repeat of its request. */
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
   * Begins the act of an intent. Refuses a refund that exceeds what is left. Returns when the act was surely its own.
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

  /** What an earlier request under the same key says of this one; undefined where it may be made. */
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
    // Providers need not remember a key for longer: a later request under it is made again.
    const { createdAt: at, ranAt } = before;
    if (isIdempotent(order) && isRecent({ at, ranAt }, keptFor, clock)) return undefined;
    throw inDoubt(before);
  }

  /**
   * Does the same after the act has begun. Meanwhile, the intent may have been put in doubt by the process that took
   * over the acts of a dead process, or another process may have made the same request.
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
      // The other process keeps its answer. If the answer is lost, the provider is asked about the payment.
      if (!answer && !isAgain) throw new RunsElsewhere(intent);
      const present = answer ?? (await order.present(intent));
      await endings.withdraw(intent);
      return present;
    } catch (error) {
      throw await endings.giveUp(intent, error, isIdempotent(order));
    }
  }

  /** Returns the answer of a process that took over the key while this process was suspended. */
  const keptAnswer = ({ organizationId, kind, key, body }: Intent) =>
    stores.answers.find(requestName({ organizationId, endpoint: endpointOf[kind], key }), body);

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
        // A client that got an error instead may repeat its request, also with a key that was made for it, and the
        // repeat may be waiting for this act to end: it finds what was made.
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
    const name = requestName({ organizationId, endpoint: endpointOf[kind], key });
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
        // The next attempt finds the other process's result, or makes the request if there is none.
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
     * Makes the call once for equal requests. Failures carry the key under which the request may be repeated;
     * those that leave the outcome open say `outcome: "unknown"`.
     */
    perform: (order: MoneyOrder) => track(perform(order)),
    /** Returns the result of a call that stores its own outcome. */
    track,
    /** Resolves once no call is under way, so that the storage can be closed. */
    async idle(): Promise<void> {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
    /** Stores what could not be stored before; throws where that fails still. */
    async retry(): Promise<void> {
      const failures: unknown[] = [];
      for (const known of unstored.all()) {
        await endings.storeAgain(known).catch((error) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
    /** Ends the acts of dead processes: stores the result of each, or marks it as in doubt. */
    recover,
    /** Stops waiting for other processes. */
    close: acts.close,
  };
}

/** Whether the provider keeps to `Idempotency-Key`, so that asking again makes nothing twice. */
function isIdempotent({ cashier }: MoneyOrder): boolean {
  return cashier.session.capabilities?.idempotent === true;
}
