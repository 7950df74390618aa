import type { Refund } from '#validators/payment-records';
import type { AuditLog } from '../../base/audit.js';
import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/log.js';
import { newPayment, type Payment, type PaymentType } from '../payment.js';
import type { PaymentFollower } from '../payment-follower.js';
import { dataOf } from '../providers/answer-values.js';
import { type ProviderAnswer, ProviderError } from '../providers/provider.js';
import { type CreatedFacts, readCreated, readRefunded } from '../providers/provider-answer.js';
import type { PaymentStores } from '../store.js';
import { type Contradiction, contradictionOf } from '../watching/payment-rules.js';
import { factsAbout } from '../watching/poll.js';
import {
  adopted,
  type Intent,
  isAdoptedAsOther,
  lateIntentId,
  nextIntentId,
  notMade,
  refundOf,
  settledLine,
} from './intent.js';
import { oldestRefund } from './refund-limit.js';

/** The operation that an intent has made, as the provider describes it. */
export interface MadeOperation {
  /** Null where the provider gives refunds no id. */
  readonly operationId: string | null;
  /** Tenge, where the provider says it. */
  readonly amount: number | null;
  /** The payment that a refund is of, if the provider names it. */
  readonly paymentId?: string | null;
  /** Of a payment. */
  readonly facts?: CreatedFacts;
}

/** What an answer says was made. A ProviderError that is not clear where it does not say so. */
export function readMade(intent: Intent, answer: ProviderAnswer): MadeOperation {
  if (intent.kind !== 'refund') {
    const facts = readCreated(intent.kind, answer);
    return { operationId: facts.id, amount: facts.amount, facts };
  }
  const { id, ...refunded } = readRefunded(answer);
  const reason = contradictionOf(intent.amount, refunded);
  if (!reason) return { operationId: id, ...refunded };
  const text = `The provider's answer contradicts the requested refund: ${contradictionText[reason]}.`;
  throw new ProviderError('failure', text, { answer });
}

const contradictionText: Readonly<Record<Contradiction, string>> = {
  other_amount: 'it contains another amount',
  unreadable_amount: 'its amount cannot be read',
  other_currency: 'it is in another currency',
};

/**
 * What an answer about an operation that was asked for by its id says was made. A ProviderError that is not clear
 * where it is about another operation.
 */
export function readFound(
  type: PaymentType,
  id: string,
  answer: ProviderAnswer,
): MadeOperation & { readonly facts: CreatedFacts } {
  const { amount, otherId } = factsAbout({ type, id }, answer);
  // It need not name what was asked for.
  const names = { QrOperationId: id, Id: id, OperationId: id };
  const facts = readCreated(type, { ...answer, Data: { ...dataOf(answer), ...names } });
  return { operationId: id, amount, facts: { ...facts, otherId } };
}

export interface OutcomeOptions {
  readonly stores: Pick<PaymentStores, 'payments' | 'intents' | 'refunds'>;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly zone: string;
  readonly log: Logger;
  /** Called with every payment that was stored open. */
  onCreated(payment: Payment): void;
  readonly follower: PaymentFollower;
}

export type Outcomes = ReturnType<typeof createOutcomes>;

/** Writes down what intents came to. Every step may be repeated: it changes nothing the second time. */
export function createOutcomes(options: OutcomeOptions) {
  const { stores, audit, clock, zone, log, onCreated, follower } = options;
  const { payments, intents, refunds } = stores;
  /** Adoptions under way, by intent. */
  const adoptions = new Map<string, Promise<Intent>>();

  /** A payment of another amount than ordered is a person's to judge: no status of it is believed. */
  function paymentOf(intent: Intent, facts: CreatedFacts): Payment {
    const { id: intentId, kind, organizationId, sessionId, profileId, cashier, amount } = intent;
    const { clientPhone, reference, sandbox, createdAt } = intent;
    const type: PaymentType = kind === 'qr' ? 'qr' : 'invoice';
    const origin = {
      ...{ type, organizationId, sessionId, profileId, cashier, intentId, amount, createdAt },
      ...(clientPhone === undefined ? {} : { clientPhone }),
      ...(reference === undefined ? {} : { reference }),
      ...(sandbox ? { sandbox } : {}),
    };
    const payment = newPayment(origin, facts, zone);
    const reason = contradictionOf(amount, facts);
    return reason ? { ...payment, state: 'unknown', reason, endedAt: clock.now() } : payment;
  }

  async function storePayment(intent: Intent, facts: CreatedFacts): Promise<void> {
    const payment = paymentOf(intent, facts);
    const stored = await payments.add(payment);
    if (stored.intentId !== intent.id) {
      const { type, id, organizationId } = payment;
      log.error(
        { payment: id, type, organization: organizationId, intent: intent.id },
        'The provider gave a new payment the id of one that is stored already; it is in doubt. Ask the provider.',
      );
      throw new ProviderError('failure', `The provider gave the id ${id} a second time.`);
    }
    if (stored.state === 'open') onCreated(stored);
    await follower.seen(stored);
    if (stored.state !== 'unknown') return;
    const { id, reason } = stored;
    log.error(
      { payment: id, reason, ordered: intent.amount, made: facts.data.Amount },
      'The provider answered with another amount than the ordered one, or with an unreadable amount. The outcome of the payment is unknown. Ask the provider.',
    );
  }

  /** Returns another intent's successful refund with this ID of the provider's. */
  async function findSame(intent: Intent, operationId: string): Promise<Refund | undefined> {
    const { id, organizationId, paymentId = '', createdAt } = intent;
    const ofPayment = await payments.find({ id: paymentId, organizationId });
    const since = oldestRefund([...ofPayment, { createdAt }], clock.now());
    for await (const refund of refunds.list({ since })) {
      const isOther = refund.organizationId === organizationId && refund.intentId !== id;
      if (isOther && refund.outcome === 'success' && refund.id === operationId) return refund;
    }
    return undefined;
  }

  /** Throws if the provider names another payment than the requested one, by neither of its IDs. */
  async function assertReturnedOf(
    { paymentId = '', organizationId }: Intent,
    answered: string,
  ): Promise<void> {
    const known = await payments.find({ id: paymentId, organizationId });
    const ids = [paymentId, ...known.flatMap(({ id, otherId = id }) => [id, otherId])];
    if (ids.includes(answered)) return;
    throw new ProviderError('failure', `The provider returned money of payment ${answered}.`);
  }

  async function storeRefund(
    intent: Intent,
    { operationId, amount, paymentId }: MadeOperation,
  ): Promise<void> {
    if (typeof paymentId === 'string') await assertReturnedOf(intent, paymentId);
    const same = operationId === null ? undefined : await findSame(intent, operationId);
    // A provider may remember a key for longer than we do: then it is the earlier refund under the key.
    if (same && nextIntentId(same) === intent.id) return;
    if (same) {
      const { organizationId: organization, paymentId: payment } = intent;
      log.error(
        { refund: operationId, payment, organization, intent: intent.id },
        'The provider gave a new refund the ID of one that is stored already; it is in doubt. Ask the provider.',
      );
      throw new ProviderError('failure', `The provider gave the ID ${operationId} a second time.`);
    }
    const refund = refundOf(intent, 'success', operationId ?? undefined);
    await refunds.put(amount === null ? refund : { ...refund, amount });
  }

  /** Stores what was made. A ProviderError that is not clear where the id is another payment's. */
  async function store(intent: Intent, made: MadeOperation): Promise<void> {
    if (made.facts) await storePayment(intent, made.facts);
    else await storeRefund(intent, made);
  }

  /** Reports the outcome of an intent; its process may have died before reporting it. */
  async function report(
    intent: Intent,
    state: Intent['state'],
    operationId: string | undefined,
  ): Promise<void> {
    const { kind, organizationId } = intent;
    if (intent.reference === undefined || kind === 'refund') return;
    if (operationId === undefined) return follower.notMade({ ...intent, state });
    for (const made of await payments.find({ id: operationId, type: kind, organizationId })) {
      await follower.seen(made);
    }
  }

  /**
   * Closes an intent after writing its audit line. A closed intent stays as it is, except that proof of what it made
   * also counts if it comes after the intent was closed as never made.
   */
  async function close(
    intent: Intent,
    state: Exclude<Intent['state'], 'in_doubt'>,
    { who, operationId }: { who: string; operationId?: string | undefined },
  ): Promise<Intent> {
    const isSame = ({ createdAt }: Intent) => createdAt === intent.createdAt;
    const canClose = (kept: Intent) =>
      kept.state === 'in_doubt' ||
      (state === 'adopted' && kept.state !== 'adopted' && isSame(kept));
    const kept = await intents.find(intent.id);
    if (kept && isSame(kept) && state === 'adopted' && isAdoptedAsOther(kept, operationId)) {
      const { id, kind, operationId: earlier } = kept;
      log.error(
        { intent: id, kind, operation: operationId, earlier },
        'The provider made an operation for a request that was settled with another operation. Both are stored. Check which of them the request made.',
      );
    }
    if (!kept || !canClose(kept)) return kept ?? intent;
    await report(kept, state, operationId);
    const time = clock.now();
    await audit.add(settledLine(kept, state, { who, time, operationId }));
    const closed = await intents.change(intent.id, (now) => {
      if (!canClose(now)) return undefined;
      return state === 'adopted'
        ? adopted(now, operationId ?? now.id, time, clock)
        : notMade(now, state, time);
    });
    const { id, kind, amount, organizationId: organization } = intent;
    const facts = { intent: id, kind, amount, organization, state, operationId };
    if (kept.state === 'in_doubt') log.info(facts, 'A request in doubt is settled.');
    else {
      log.error(
        { ...facts, earlier: kept.state },
        'The provider made an operation that was closed as never made. It was adopted and counts from now on. Check whether it was requested a second time, and return what was paid twice.',
      );
    }
    return closed ?? intent;
  }

  const settle = (intent: Intent, { operationId }: MadeOperation, who = 'gateway') =>
    close(intent, 'adopted', { who, operationId: operationId ?? undefined });

  function adopt(intent: Intent, made: MadeOperation, who: string): Promise<Intent> {
    const adoption = store(intent, made)
      .then(() => settle(intent, made, who))
      .finally(() => {
        if (adoptions.get(intent.id) === adoption) adoptions.delete(intent.id);
      });
    adoptions.set(intent.id, adoption);
    return adoption;
  }

  /** Whether another refund than a late answer is about is stored under the intent. */
  async function isReplaced(intent: Intent, operationId: string | null): Promise<boolean> {
    const refund = intent.kind === 'refund' ? await refunds.find(intent.id) : undefined;
    if (refund?.outcome !== 'success') return false;
    if (operationId !== null) return refund.id !== operationId;
    const kept = await intents.find(intent.id);
    const isSettled = kept?.state === 'adopted' && kept.operationId === intent.id;
    return refund.id !== intent.id || (refund.createdAt !== intent.createdAt && !isSettled);
  }

  return {
    store,
    /** Closes an intent whose operation is stored, if it is in doubt. */
    settle,
    /** Stores the operation that an intent has made, and closes the intent. */
    adopt,
    /** Does the same with a late answer. A refund that was made under the key in the meantime stays stored beside it. */
    async adoptLate(intent: Intent, made: MadeOperation): Promise<void> {
      if (!(await isReplaced(intent, made.operationId))) {
        await adopt(intent, made, 'gateway');
        return;
      }
      const { id, paymentId: payment, amount, organizationId: organization } = intent;
      await storeRefund({ ...intent, id: lateIntentId(intent) }, made);
      log.error(
        { intent: id, payment, amount, organization, refund: made.operationId },
        'The provider made a refund whose request was closed or settled with another refund before its answer came. Both are stored and count.',
      );
    },
    /** Waits for an adoption under way: what everybody can see already is not to be called in doubt. */
    async whenAdopted(id: string): Promise<void> {
      // Where it fails, who adopts hears so, and the intent is as it was.
      await adoptions.get(id)?.catch(() => {});
    },
    /** Closes an intent in doubt that has made nothing, or whose QR code no client ever received. */
    async closeNotMade(
      intent: Intent,
      who: string,
      state: 'not_made' | 'abandoned' = 'not_made',
    ): Promise<Intent> {
      const kept = await intents.find(intent.id);
      // It may have turned out meanwhile that it was made.
      if (kept?.state !== 'in_doubt') return kept ?? intent;
      if (intent.kind === 'refund' && (await refunds.find(intent.id))?.outcome !== 'success') {
        await refunds.put(refundOf(intent, 'failed'));
      }
      return close(intent, state, { who });
    },
  };
}
