import type { AuditLog } from '../../base/audit.js';
import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import type { Logger } from '../../base/log.js';
import { assertSame, type Once, type RepeatKey } from '../idempotency.js';
import { type ProviderAnswer, type ProviderCall, ProviderError } from '../providers/provider.js';
import type { Cashier, Sessions } from '../sessions/sessions.js';
import { type Keep, keptFor, type PaymentStores } from '../store.js';
import { createActEndings } from './act-endings.js';
import { inDoubt, unstoredOutcome } from './doubt-errors.js';
import {
  adopted,
  endpointOf,
  type Intent,
  intentIdOf,
  isKeyTaken,
  nextIntentId,
  requestName,
} from './intent.js';
import { type Outcomes, readMade } from './outcomes.js';
import { createUnstoredActs, type UnstoredAct } from './unstored-acts.js';

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
  const { stores, sessions, outcomes, audit, once, clock } = options;
  const { intents, refunds } = stores;
  const unstored = createUnstoredActs();
  const endings = createActEndings(options, unstored);

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
    };
  }

  /** Puts the intent on disk. One that is begun already belongs to a process that has not answered. */
  async function begin(intent: Intent): Promise<void> {
    try {
      await audit.begin({ id: intent.id, record: intent });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
      throw inDoubt(intent);
    }
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
      if (answer) await endings.write(intent, 'failed');
      return answer;
    } catch (error) {
      await endings.write(intent, 'failed');
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
    const mayRepeat = isIdempotent(order);
    if (isTakenOver(begunAt)) throw await endings.abandon(intent, mayRepeat);
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
          await intents.add(adopted(intent, made.operationId ?? intent.id, clock.now()));
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

  /**
   * Whether this process stood still for so long that others may have put in doubt what it had begun, and learnt that
   * nothing was made of it.
   */
  function isTakenOver(begunAt: number): boolean {
    const { takeoverTime } = stores;
    return takeoverTime > 0 && clock.monotonic() - begunAt >= takeoverTime;
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
      for (const known of unstored.all()) {
        await endings.storeAgain(known).catch((error) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** Whether the provider keeps to `Idempotency-Key`, so that asking again makes nothing twice. */
function isIdempotent({ cashier }: MoneyOrder): boolean {
  return cashier.session.capabilities?.idempotent === true;
}
