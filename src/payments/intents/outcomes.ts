import type { Refund } from '#validators/payment-records';
import type { PaymentParts } from '../parts.js';
import { newPayment, type Payment, type PaymentType } from '../payment.js';
import { dataOf } from '../providers/answer-values.js';
import { type ProviderAnswer, ProviderError } from '../providers/provider.js';
import { type CreatedFacts, readCreated, readRefunded } from '../providers/provider-answer.js';

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

/** The operation that an intent created, as the provider describes it. */
export interface MadeOperation {
  /** Null if the provider does not assign IDs to refunds. */
  readonly operationId: string | null;
  /** Tenge; null if the provider does not report it. */
  readonly amount: number | null;
  /** The payment of a refund, if the provider reports it. */
  readonly paymentId?: string | null;
  /** Facts of a payment; absent for a refund. */
  readonly facts?: CreatedFacts;
}

/** Returns the operation that an answer describes. Throws an unclear ProviderError if the answer describes none. */
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
  other_amount: 'it contains a different amount',
  unreadable_amount: 'its amount cannot be read',
  other_currency: 'it is in a different currency',
};

/**
 * Returns the operation in the answer to a request by ID. Throws an unclear ProviderError if the answer describes a
 * different operation.
 */
export function readFound(
  type: PaymentType,
  id: string,
  answer: ProviderAnswer,
): MadeOperation & { readonly facts: CreatedFacts } {
  const { amount, otherId } = factsAbout({ type, id }, answer);
  // The answer does not have to contain the requested ID.
  const names = { QrOperationId: id, Id: id, OperationId: id };
  const facts = readCreated(type, { ...answer, Data: { ...dataOf(answer), ...names } });
  return { operationId: id, amount, facts: { ...facts, otherId } };
}

/** The parts that handle intents. */
export interface IntentParts extends PaymentParts {
  readonly outcomes: ReturnType<typeof createOutcomes>;
}

/**
 * Stores the outcomes of intents. Every step is idempotent. Calls `onCreated` for every payment that is stored as open.
 */
export function createOutcomes(options: PaymentParts, onCreated: (payment: Payment) => void) {
  const { stores, audit, clock, zone, log, follower } = options;
  const { payments, intents, refunds } = stores;
  /** Adoptions in progress, by intent. */
  const adoptions = new Map<string, Promise<Intent>>();

  /**
   * Returns the payment of an intent. If its amount differs from the order, its outcome is unknown and a person
   * decides.
   */
  function paymentOf(intent: Intent, facts: CreatedFacts): Payment {
    const payment = newPayment(intent, facts, zone);
    const reason = contradictionOf(intent.amount, facts);
    return reason ? { ...payment, state: 'unknown', reason, endedAt: clock.now() } : payment;
  }

  async function storePayment(intent: Intent, facts: CreatedFacts): Promise<void> {
    const payment = paymentOf(intent, facts);
    const stored = await payments.add(payment);
    if (stored.intentId !== intent.id) {
      const { type, id, organizationId } = payment;
      log.error(
        { payment: id, type, organization: organizationId, intent: intent.id },
        'The provider assigned the ID of a stored payment to a new payment. The new payment is in doubt. Contact the provider.',
      );
      throw new ProviderError('failure', `The provider used the ID ${id} a second time.`);
    }
    if (stored.state === 'open') onCreated(stored);
    await follower.seen(stored);
    if (stored.state !== 'unknown') return;
    const { id, reason } = stored;
    log.error(
      { payment: id, reason, ordered: intent.amount, made: facts.data.Amount },
      'The provider returned a different or unreadable amount. The outcome of the payment is unknown. Contact the provider.',
    );
  }

  /** Finds a successful refund with this ID that belongs to a different intent. */
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

  /** Throws if the reported payment ID matches neither ID of the requested payment. */
  async function assertReturnedOf(
    { paymentId = '', organizationId }: Intent,
    reportedId: string,
  ): Promise<void> {
    const known = await payments.find({ id: paymentId, organizationId });
    const ids = [paymentId, ...known.flatMap(({ id, otherId = id }) => [id, otherId])];
    if (ids.includes(reportedId)) return;
    throw new ProviderError('failure', `The provider refunded a different payment: ${reportedId}.`);
  }

  async function storeRefund(
    intent: Intent,
    { operationId, amount, paymentId }: MadeOperation,
  ): Promise<void> {
    if (typeof paymentId === 'string') await assertReturnedOf(intent, paymentId);
    const same = operationId === null ? undefined : await findSame(intent, operationId);
    // A provider may remember a key for longer than the gateway does. Then this is the earlier refund under the key.
    if (same && nextIntentId(same) === intent.id) return;
    if (same) {
      const { organizationId: organization, paymentId: payment } = intent;
      log.error(
        { refund: operationId, payment, organization, intent: intent.id },
        'The provider assigned the ID of a stored refund to a new refund. The new refund is in doubt. Contact the provider.',
      );
      throw new ProviderError('failure', `The provider used the ID ${operationId} a second time.`);
    }
    const refund = refundOf(intent, 'success', operationId ?? undefined);
    await refunds.put(amount === null ? refund : { ...refund, amount });
  }

  /** Stores the operation. Throws an unclear ProviderError if its ID belongs to a different payment. */
  async function store(intent: Intent, made: MadeOperation): Promise<void> {
    if (made.facts) await storePayment(intent, made.facts);
    else await storeRefund(intent, made);
  }

  /** Reports the outcome of an intent to the follower, because its process may have died before doing so. */
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
   * Closes an intent after writing its audit log entry. A closed intent stays unchanged, with one exception: an intent
   * closed as never made is adopted if proof of its operation arrives later.
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
        'The provider carried out a request that was settled with a different operation. Both operations are stored. Check which one belongs to the request.',
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
    if (kept.state === 'in_doubt') log.info(facts, 'A request in doubt was settled.');
    else {
      log.error(
        { ...facts, earlier: kept.state },
        'The provider carried out a request that was closed as never made. Its operation was adopted. Check whether the request was made again, and refund any duplicate payment.',
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

  /** Returns whether the refund stored under the intent differs from the one in a late answer. */
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
    /** Stores the operation that an intent created, and closes the intent. */
    adopt,
    /** Adopts the operation of a late answer. Keeps a refund that was made under the key in the meantime. */
    async adoptLate(intent: Intent, made: MadeOperation): Promise<void> {
      if (!(await isReplaced(intent, made.operationId))) {
        await adopt(intent, made, 'gateway');
        return;
      }
      const { id, paymentId: payment, amount, organizationId: organization } = intent;
      await storeRefund({ ...intent, id: lateIntentId(intent) }, made);
      log.error(
        { intent: id, payment, amount, organization, refund: made.operationId },
        'A late answer reports a refund whose request was already closed or settled with a different refund. Both refunds are stored and counted.',
      );
    },
    /** Waits for an adoption in progress, so that an operation that is already visible is not reported as in doubt. */
    async whenAdopted(id: string): Promise<void> {
      // If it fails, its caller receives the error, and the intent is unchanged.
      await adoptions.get(id)?.catch(() => {});
    },
    /** Closes an intent in doubt that had no effect, or whose QR code no client received. */
    async closeNotMade(
      intent: Intent,
      who: string,
      state: 'not_made' | 'abandoned' = 'not_made',
    ): Promise<Intent> {
      const kept = await intents.find(intent.id);
      // Proof of its operation may have arrived in the meantime.
      if (kept?.state !== 'in_doubt') return kept ?? intent;
      if (intent.kind === 'refund' && (await refunds.find(intent.id))?.outcome !== 'success') {
        await refunds.put(refundOf(intent, 'failed'));
      }
      return close(intent, state, { who });
    },
  };
}
