import type { AuditLine, AuditLog } from '../../base/audit.js';
import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import type { Logger } from '../../base/log.js';
import { assertSame, type Once, type RepeatKey } from '../idempotency.js';
import { type ProviderAnswer, type ProviderCall, ProviderError } from '../providers/provider.js';
import type { Cashier, Sessions } from '../sessions/sessions.js';
import { type Keep, keptFor, type PaymentStores } from '../store.js';
import { inDoubt, unknownOutcome } from './doubt-errors.js';
import {
  actLine,
  adopted,
  endpointOf,
  type Intent,
  intentIdOf,
  isKeyTaken,
  nextIntentId,
  refundOf,
  requestName,
} from './intent.js';
import { type Outcomes, readMade } from './outcomes.js';

/** Stores what is known of an act; gives the answer of one that made something. May be repeated. */
type Store = () => Promise<ProviderAnswer | undefined>;

/** An act of which it is known what came of it, and that is not stored. */
interface Unstored {
  readonly intent: Intent;
  readonly store: Store;
}

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
  readonly stores: Pick<PaymentStores, 'payments' | 'intents' | 'refunds' | 'takeoverTime'>;
  readonly sessions: Pick<Sessions, 'hold'>;
  readonly outcomes: Outcomes;
  readonly audit: AuditLog;
  readonly once: Once;
  readonly clock: Clock;
  readonly log: Logger;
}

export type MoneyCalls = ReturnType<typeof createMoneyCalls>;

/**
 * Calls that move money. An intent is on disk before each, and every answer is: what was clearly made is
 * stored before the client hears of it, what was not clear becomes an intent in doubt.
 */
export function createMoneyCalls(options: MoneyCallOptions) {
  const { stores, sessions, outcomes, audit, once, clock, log } = options;
  const { intents, refunds } = stores;
  /** What is known of acts but could not be stored, by intent. */
  const unstored = new Map<string, Unstored>();

  /** The name of a new intent; the same for every repeat of its request. */
  async function idFor({ kind, repeat }: MoneyOrder, name: string): Promise<string> {
    let id = intentIdOf(name);
    if (kind !== 'refund' || repeat.isNew) return id;
    for (;;) {
      const before = await refunds.find(id);
      const now = clock.now();
      if (before?.outcome !== 'success' || now - before.createdAt < keptFor) return id;
      const intent = await intents.find(id);
      if (intent && (intent.state === 'in_doubt' || isKeyTaken(intent, now))) return id;
      id = nextIntentId(before);
    }
  }

  function intentFor(order: MoneyOrder, key: string, id: string): Intent {
    const { kind, amount, profileId, clientPhone, paymentId, reference, body } = order;
    const { organizationId, id: sessionId, phone: cashier } = order.cashier.session;
    return {
      id,
      state: 'in_doubt',
      ...{ kind, organizationId, profileId, sessionId, cashier, amount, body, key },
      ...(clientPhone === undefined ? {} : { clientPhone }),
      ...(paymentId === undefined ? {} : { paymentId }),
      ...(reference === undefined ? {} : { reference }),
      createdAt: clock.now(),
    };
  }

  /** Stores what is known of an act; what fails is tried again by the next request with the key, and by `retry`. */
  async function storeFor(intent: Intent, store: Store): Promise<ProviderAnswer | undefined> {
    unstored.set(intent.id, { intent, store });
    const answer = await store();
    unstored.delete(intent.id);
    return answer;
  }

  /** Stores what could not be stored before. What turns out then to be another's operation is in doubt. */
  async function storeAgain({ intent, store }: Unstored): Promise<ProviderAnswer | undefined> {
    try {
      return await storeFor(intent, store);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      throw await doubt(intent, error);
    }
  }

  const end = (intent: Intent, outcome: AuditLine['outcome'], operationId?: string) =>
    audit.end(intent, actLine(intent, outcome, { time: clock.now(), operationId }));

  /** Puts the intent on disk. One that is begun already belongs to a process that has not answered. */
  async function begin(intent: Intent): Promise<void> {
    try {
      await audit.begin({ id: intent.id, record: intent });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
      throw inDoubt(intent);
    }
  }

  /** What an earlier request under the same key says of this one; undefined where it may be made. */
  async function answerBefore(
    order: MoneyOrder,
    { id, body }: Intent,
  ): Promise<ProviderAnswer | undefined> {
    const known = unstored.get(id);
    if (known) assertSame(known.intent.body, body);
    const answer = known && (await storeAgain(known));
    if (answer) return answer;
    const before = await intents.find(id);
    if (!before || before.state === 'not_made') return undefined;
    if (before.state === 'adopted' && !isKeyTaken(before, clock.now())) return undefined;
    assertSame(before.body, body);
    if (before.state === 'adopted') return order.present(before);
    // Providers need not know a key for longer: what they are asked for under it later is made anew.
    const isKnown = Math.abs(clock.now() - before.createdAt) < keptFor;
    if (isIdempotent(order) && isKnown) return undefined;
    throw inDoubt(before);
  }

  /**
   * The same once the intent is begun: between the two, it may have been put in doubt by the process that took over
   * what one that died had begun.
   */
  async function answerSince(
    order: MoneyOrder,
    intent: Intent,
  ): Promise<ProviderAnswer | undefined> {
    try {
      const answer = await answerBefore(order, intent);
      if (answer) await end(intent, 'failed');
      return answer;
    } catch (error) {
      await end(intent, 'failed');
      throw error;
    }
  }

  async function make(order: MoneyOrder, intent: Intent, keep: Keep): Promise<ProviderAnswer> {
    const before = order.repeat.isNew ? undefined : await answerBefore(order, intent);
    if (before) return before;
    const begunAt = clock.monotonic();
    await begin(intent);
    const since = order.repeat.isNew ? undefined : await answerSince(order, intent);
    if (since) return since;
    if (isTakenOver(begunAt)) throw await abandon(order, intent);
    try {
      const mayRepeat = isIdempotent(order);
      const answer = await order.ask({ idempotencyKey: intent.key, mayRepeat });
      const made = readMade(intent, answer);
      let isFirst = true;
      await storeFor(intent, async () => {
        const isLate = !isFirst;
        isFirst = false;
        await outcomes.store(intent, made);
        const isAlone = await keep(answer);
        // A client that got an error instead may repeat its request, also with a key that was made for it, and the
        // repeat may be waiting for this act to end: it finds what was made.
        if (isLate || !isAlone) {
          await intents.add(adopted(intent, made.operationId ?? intent.id, clock.now()));
        }
        if (mayRepeat && !order.repeat.isNew) await outcomes.settle(intent, made);
        await end(intent, 'success', made.operationId ?? undefined);
        return answer;
      });
      return answer;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      throw await (error.isClear ? refuse : doubt)(intent, error);
    }
  }

  /**
   * Whether this process stood still for so long that others may have put in doubt what it had begun, and learnt that
   * nothing was made of it.
   */
  function isTakenOver(begunAt: number): boolean {
    const { takeoverTime } = stores;
    return takeoverTime > 0 && clock.monotonic() - begunAt >= takeoverTime;
  }

  /** Nothing was sent, and nothing is: the client may have done the same under another key since. */
  async function abandon(order: MoneyOrder, intent: Intent): Promise<AppError> {
    await storeFor(intent, async () => {
      // To an idempotent provider, another process may be sending a repeat of it right now.
      if (!isIdempotent(order)) await closeOwn(intent);
      await end(intent, 'failed');
      return undefined;
    });
    return new AppError(
      'storage_unavailable',
      'The service stood still for too long before it asked the provider: nothing was done. Try again.',
      { headers: { 'Retry-After': '1' } },
    );
  }

  /** The provider made nothing. An intent that was in doubt before stays so: this says nothing of then. */
  async function refuse(intent: Intent, error: ProviderError): Promise<ProviderError> {
    await storeFor(intent, async () => {
      const isClear = intent.kind === 'refund' && !(await isDoubted(intent));
      if (isClear && !(await refunds.find(intent.id)))
        await refunds.put(refundOf(intent, 'failed'));
      await end(intent, 'failed');
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
    await storeFor(intent, async () => {
      await intents.add(intent);
      await end(intent, 'unknown');
      return undefined;
    }).catch((err) => log.error({ intent: id, err }, 'An act in doubt could not be stored yet.'));
    error.late?.then(
      (answer) => settleLate(id, () => outcomes.adopt(intent, readMade(intent, answer), 'gateway')),
      (late) => settleLate(id, () => closeRefused(intent, late)),
    );
    return unknownOutcome(error);
  }

  const isDoubted = async ({ id }: Intent) => (await intents.find(id))?.state === 'in_doubt';

  /** A late refusal is as clear as one in time; of a repeat, it says nothing of what was in doubt before. */
  async function closeRefused(intent: Intent, error: unknown): Promise<void> {
    if (error instanceof ProviderError && error.isClear) await closeOwn(intent);
  }

  /** Closes an intent of which nothing was made, if it is in doubt; not one that was in doubt before it. */
  async function closeOwn(intent: Intent): Promise<void> {
    if ((await intents.find(intent.id))?.createdAt !== intent.createdAt) return;
    await outcomes.closeNotMade(intent, 'gateway');
  }

  async function settleLate(id: string, settle: () => Promise<unknown>): Promise<void> {
    try {
      const known = unstored.get(id);
      if (known) await storeAgain(known);
      await settle();
    } catch (err) {
      log.warn({ intent: id, err }, 'A late answer could not be used; the provider is asked.');
    }
  }

  return {
    /**
     * Makes the call once for equal requests. Failures carry the key under which the request may be repeated;
     * those that leave the outcome open say `outcome: "unknown"`.
     */
    async perform(order: MoneyOrder): Promise<ProviderAnswer> {
      const { cashier, kind, repeat, body } = order;
      const { organizationId } = cashier.session;
      const { key } = repeat;
      const name = requestName({ organizationId, endpoint: endpointOf[kind], key });
      const release = sessions.hold(cashier.key);
      try {
        const begun = async (keep: Keep) =>
          make(order, intentFor(order, key, await idFor(order, name)), keep);
        if (repeat.isNew) return await begun(async () => true);
        return await once({ name, body }, begun);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        throw error.telling({ headers: { 'Idempotency-Key': key } });
      } finally {
        release();
      }
    },
    /** Stores what could not be stored before; throws where that fails still. */
    async retry(): Promise<void> {
      const failures: unknown[] = [];
      for (const known of [...unstored.values()]) {
        await storeAgain(known).catch((error) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

function isIdempotent({ cashier }: MoneyOrder): boolean {
  return cashier.session.capabilities?.idempotent === true;
}
