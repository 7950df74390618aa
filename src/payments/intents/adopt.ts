import { randomUUID } from 'node:crypto';
import type { AuditLine } from '../../base/audit.js';
import { AppError } from '../../base/errors.js';
import { toTiyns } from '../amount.js';
import { digestOf } from '../idempotency.js';
import type { Payment, PaymentType } from '../payment.js';
import { maskPhone } from '../phone.js';
import { canonicalId } from '../providers/answer-values.js';
import { readOperation } from '../providers/operation-rows.js';
import { askOperation, type ProviderAnswer, ProviderError } from '../providers/provider.js';
import type { Cashier } from '../sessions/sessions.js';
import { factsAbout } from '../watching/poll.js';
import { parseProviderTime } from '../zoned-time.js';
import { clockTolerance, createCandidates } from './candidates.js';
import { type Intent, intentIdOf, intentsUnderWay, mayBeAnswered } from './intent.js';
import {
  isOfAnother,
  isOfType,
  isRepeated,
  isSettled,
  isStoredAs,
  isUnlike,
  mayBeOfSeveral,
  mayStillBeAnswered,
  noSuchIntent,
  noSuchReturn,
} from './intent-errors.js';
import { type IntentParts, readFound } from './outcomes.js';

/** A person's request to adopt an operation of the provider. */
export interface AdoptionRequest {
  /** ID of the operation; if the intent is a refund, ID of the return. */
  readonly id: string;
  /** Read from the provider by default. */
  readonly type?: PaymentType | undefined;
  /** The intent in doubt that it settles; by default the only matching one. */
  readonly intentId?: string | undefined;
}

/** An operation as the provider describes it. */
interface Found {
  readonly id: string;
  readonly type: PaymentType;
  readonly answer: ProviderAnswer;
}

export interface Adopted {
  readonly payment: Payment;
  /** False if it was already stored. */
  readonly isNew: boolean;
  /** The intents in doubt that it settled. */
  readonly settled: readonly Intent[];
}

/** Creates the functions with which a person adopts operations and settles intents in doubt. */
export function createAdoption(options: IntentParts) {
  const { stores, provider, outcomes, audit, clock, zone } = options;
  const { payments, intents } = stores;
  const candidates = createCandidates(options);
  const call = () => ({ signal: new AbortController().signal });

  /** Returns the intent. Throws `conflict` if it is settled, is being repeated, or may still be answered. */
  async function assertOpen(intent: Intent): Promise<Intent> {
    if (intent.state !== 'in_doubt') throw isSettled(intent);
    if (mayBeAnswered(intent, clock)) throw mayStillBeAnswered(intent);
    const running = await intentsUnderWay(audit);
    if (running.some((act) => act.intent.id === intent.id)) throw isRepeated(intent);
    return intent;
  }

  async function find(id: string): Promise<Intent> {
    const intent = await intents.find(id);
    if (intent) return intent;
    throw noSuchIntent(id);
  }

  /** Reads the operation from the provider. Tries both types if the request contains no type. */
  async function ask(cashier: Cashier, { id, type }: AdoptionRequest): Promise<Found> {
    const types: readonly PaymentType[] = type ? [type] : ['qr', 'invoice'];
    let missing: unknown;
    for (const each of types) {
      try {
        const answer = await askOperation(
          provider,
          { type: each, id },
          cashier.credentials,
          call(),
        );
        const reported = readOperation(answer)?.type ?? each;
        if (reported === each) return { type: each, id, answer };
        if (type) throw isOfType(id, reported);
      } catch (error) {
        if (!(error instanceof ProviderError) || error.kind !== 'not_found') throw error;
        missing = error;
      }
    }
    throw new AppError('not_found', `The bank has no operation ${id}.`, { cause: missing });
  }

  /** Returns the only intent in doubt that may have created this operation. Throws `conflict` if there are several. */
  async function intentOf(made: Intent, cashier: Cashier): Promise<Intent | undefined> {
    const matching: Intent[] = [];
    for await (const intent of intents.list('in_doubt')) {
      const isLike =
        intent.kind === made.kind &&
        intent.organizationId === cashier.session.organizationId &&
        toTiyns(intent.amount) === toTiyns(made.amount) &&
        (intent.clientPhone === undefined || intent.clientPhone === made.clientPhone) &&
        Math.abs(intent.createdAt - made.createdAt) <= clockTolerance;
      if (isLike) matching.push(intent);
    }
    if (matching.length <= 1) return matching[0];
    throw mayBeOfSeveral(matching);
  }

  /** Returns an intent for an operation that was not created through this gateway. */
  function madeElsewhere({ session }: Cashier, { type, id, answer }: Found): Intent {
    const row = readOperation(answer);
    if (!row || row.amount === null) {
      throw new ProviderError('failure', "The provider's answer contains no amount.", {
        answer,
      });
    }
    const { organizationId, id: sessionId, phone: cashier } = session;
    const name = digestOf(['adopt', organizationId, type, id]);
    return {
      id: intentIdOf(name),
      state: 'in_doubt',
      kind: type,
      ...{ organizationId, sessionId, cashier, amount: row.amount, operationId: id },
      profileId: row.profileId ?? session.profileId,
      ...(row.clientPhone === null ? {} : { clientPhone: row.clientPhone }),
      ...(session.capabilities?.sandbox ? { sandbox: true } : {}),
      body: '',
      key: '',
      createdAt: parseProviderTime(row.transactionDate ?? '', zone) ?? clock.now(),
    };
  }

  /** Settles a refund in doubt with the return that a person has chosen. */
  async function adoptReturn(cashier: Cashier, intent: Intent, id: string): Promise<Adopted> {
    const { organizationId, phone } = cashier.session;
    const { paymentId = '', amount: requested } = intent;
    const [payment] = await payments.find({ id: paymentId, organizationId });
    if (!payment) throw new AppError('not_found', `Payment ${paymentId} is not stored here.`);
    const returns = await candidates.returnsOf(intent, cashier, call());
    const returned = returns.find((each) => each.id === id);
    if (!returned) throw noSuchReturn(intent, id, returns);
    // The return's amount is used, because the person who chose the return has seen it.
    const amount = returned.amount ?? requested;
    const ids = { payment: paymentId, intent: intent.id, refund: id };
    await noteAdoption(cashier, ids, amount);
    const settled = await outcomes.adopt(intent, { operationId: id, amount }, maskPhone(phone));
    return { payment, isNew: false, settled: [settled] };
  }

  function noteAdoption({ session }: Cashier, ids: AuditLine['ids'], amount: number | null) {
    return audit.add({
      id: randomUUID(),
      time: clock.now(),
      kind: 'adopt',
      who: maskPhone(session.phone),
      amount,
      ids: { organization: String(session.organizationId), ...ids },
      outcome: 'success',
    });
  }

  /** Returns the intent that the request names; undefined if it names none. */
  async function namedIntent(
    { session }: Cashier,
    { intentId }: AdoptionRequest,
  ): Promise<Intent | undefined> {
    if (intentId === undefined) return undefined;
    const intent = await find(intentId);
    if (intent.organizationId === session.organizationId) return intent;
    throw noSuchIntent(intentId);
  }

  /**
   * Returns a payment that is already stored, and settles the intent in doubt that created it. Throws `conflict` if the
   * request names a different intent.
   */
  async function adoptKnown(
    cashier: Cashier,
    known: Payment,
    request: AdoptionRequest,
  ): Promise<Adopted> {
    const { id, type, intentId } = known;
    const itsIntent = intentId === undefined ? undefined : await intents.find(intentId);
    if (request.intentId !== undefined && request.intentId !== intentId) {
      throw isOfAnother(id, request.intentId);
    }
    if (itsIntent?.state !== 'in_doubt' || itsIntent.kind !== type) {
      return { payment: known, isNew: false, settled: [] };
    }
    const who = maskPhone(cashier.session.phone);
    const settled = await outcomes.settle(itsIntent, { operationId: id, amount: null }, who);
    return { payment: known, isNew: false, settled: [settled] };
  }

  /** Finds the stored payment of an operation by either of its IDs. */
  async function findKnown(
    { session: { organizationId } }: Cashier,
    { id, type, answer }: Found,
  ): Promise<Payment | undefined> {
    const stored = await payments.find({ id, organizationId });
    const { otherId } = factsAbout({ type, id }, answer);
    const others =
      otherId === null ? [] : await payments.find({ id: otherId, type, organizationId });
    const known = [...stored, ...others];
    const same = known.find((payment) => payment.type === type);
    // Without a type from the provider, two operations with the same ID cannot be distinguished.
    if (same || !known[0] || readOperation(answer)?.type === type) return same;
    throw isStoredAs(known[0]);
  }

  return {
    /** Adopts an operation and starts to watch it. Throws `not_found` if the provider does not have it. */
    async adopt(cashier: Cashier, input: AdoptionRequest): Promise<Adopted> {
      const { organizationId, phone } = cashier.session;
      const request = { ...input, id: canonicalId(input.id) };
      const { id, type } = request;
      const named = await namedIntent(cashier, request);
      if (named?.kind === 'refund') return adoptReturn(cashier, await assertOpen(named), id);
      const [known] = await payments.find({ id, type, organizationId });
      if (known) return adoptKnown(cashier, known, request);
      const found = await ask(cashier, request);
      const same = await findKnown(cashier, found);
      if (same) return adoptKnown(cashier, same, request);
      const created = madeElsewhere(cashier, found);
      const intent = named ? assertLike(named, created) : await intentOf(created, cashier);
      if (intent) await assertOpen(intent);
      const made = readFound(found.type, id, found.answer);
      await outcomes.store(intent ?? created, made);
      await noteAdoption(cashier, { payment: id, intent: (intent ?? created).id }, created.amount);
      const settled = intent ? [await outcomes.settle(intent, made, maskPhone(phone))] : [];
      const [payment] = await payments.find({ id, type: found.type, organizationId });
      if (!payment) throw new AppError('internal_error', `Payment ${id} was not stored.`);
      return { payment, isNew: true, settled };
    },
    /** Closes an intent in doubt as never made. */
    async closeIntent(id: string, who: string): Promise<Intent> {
      return outcomes.closeNotMade(await assertOpen(await find(id)), who);
    },
  };
}

/** Returns the intent. Throws `conflict` if it cannot have created the operation. */
function assertLike(intent: Intent, made: Intent): Intent {
  if (intent.kind !== made.kind) throw isUnlike(intent, made, 'kind');
  if (toTiyns(intent.amount) !== toTiyns(made.amount)) throw isUnlike(intent, made, 'amount');
  const phones = [intent.clientPhone, made.clientPhone].filter((phone) => phone !== undefined);
  if (new Set(phones).size > 1) throw isUnlike(intent, made, 'clientPhone');
  return intent;
}
