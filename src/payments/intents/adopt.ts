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
  /** The operation's ID; for an intent to refund, the ID of the return. */
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
  /** False if it was stored already. */
  readonly isNew: boolean;
  /** The intents in doubt that it settled. */
  readonly settled: readonly Intent[];
}

/** Settles intents in doubt by the decisions of a person. */
export function createAdoption(options: IntentParts) {
  const { stores, provider, outcomes, audit, clock, zone } = options;
  const { payments, intents } = stores;
  const candidates = createCandidates(options);
  const call = () => ({ signal: new AbortController().signal });

  /** Throws `conflict` if an intent is settled, or if its call may still be answered. */
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

  /** Reads the operation from the provider, as each type in turn unless one is given. */
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

  /** Returns the only intent in doubt that may have made this operation. Throws `conflict` if there are several. */
  async function intentOf(made: Intent, cashier: Cashier): Promise<Intent | undefined> {
    const fitting: Intent[] = [];
    for await (const intent of intents.list('in_doubt')) {
      const isLike =
        intent.kind === made.kind &&
        intent.organizationId === cashier.session.organizationId &&
        toTiyns(intent.amount) === toTiyns(made.amount) &&
        (intent.clientPhone === undefined || intent.clientPhone === made.clientPhone) &&
        Math.abs(intent.createdAt - made.createdAt) <= clockTolerance;
      if (isLike) fitting.push(intent);
    }
    if (fitting.length <= 1) return fitting[0];
    throw mayBeOfSeveral(fitting);
  }

  /** Returns an intent for an operation that was not made through this gateway. */
  function madeElsewhere({ session }: Cashier, { type, id, answer }: Found): Intent {
    const row = readOperation(answer);
    if (!row || row.amount === null) {
      throw new ProviderError('failure', 'The answer of the provider contains no amount.', {
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

  /** Settles a refund in doubt with the return that a person names. */
  async function adoptReturn(cashier: Cashier, intent: Intent, id: string): Promise<Adopted> {
    const { organizationId, phone } = cashier.session;
    const { paymentId = '', amount: asked } = intent;
    const [payment] = await payments.find({ id: paymentId, organizationId });
    if (!payment) throw new AppError('not_found', `Payment ${paymentId} is not stored here.`);
    const returns = await candidates.returnsOf(intent, cashier, call());
    const returned = returns.find((each) => each.id === id);
    if (!returned) throw noSuchReturn(intent, id, returns);
    // A return of another amount counts with that amount, because the person who named it has seen it.
    const amount = returned.amount ?? asked;
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

  /** Returns the intent that a person names; undefined if none is named. */
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
   * Returns a payment that is already stored, and settles the intent in doubt that made it. Throws `conflict` if the
   * person named another intent.
   */
  async function adoptKnown(
    cashier: Cashier,
    known: Payment,
    request: AdoptionRequest,
  ): Promise<Adopted> {
    const { id, type, intentId } = known;
    const own = intentId === undefined ? undefined : await intents.find(intentId);
    if (request.intentId !== undefined && request.intentId !== intentId) {
      throw isOfAnother(id, request.intentId);
    }
    if (own?.state !== 'in_doubt' || own.kind !== type) {
      return { payment: known, isNew: false, settled: [] };
    }
    const who = maskPhone(cashier.session.phone);
    const settled = await outcomes.settle(own, { operationId: id, amount: null }, who);
    return { payment: known, isNew: false, settled: [settled] };
  }

  /** Returns the stored payment that an operation is, by either of its IDs. */
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
    // Without a type from the provider, two operations with one ID cannot be distinguished.
    if (same || !known[0] || readOperation(answer)?.type === type) return same;
    throw isStoredAs(known[0]);
  }

  return {
    /** Adopts an operation and starts to watch it. Throws `not_found` if the provider does not know it. */
    async adopt(cashier: Cashier, given: AdoptionRequest): Promise<Adopted> {
      const { organizationId, phone } = cashier.session;
      const request = { ...given, id: canonicalId(given.id) };
      const { id, type } = request;
      const named = await namedIntent(cashier, request);
      if (named?.kind === 'refund') return adoptReturn(cashier, await assertOpen(named), id);
      const [known] = await payments.find({ id, type, organizationId });
      if (known) return adoptKnown(cashier, known, request);
      const found = await ask(cashier, request);
      const same = await findKnown(cashier, found);
      if (same) return adoptKnown(cashier, same, request);
      const own = madeElsewhere(cashier, found);
      const intent = named ? assertLike(named, own) : await intentOf(own, cashier);
      if (intent) await assertOpen(intent);
      const made = readFound(found.type, id, found.answer);
      await outcomes.store(intent ?? own, made);
      await noteAdoption(cashier, { payment: id, intent: (intent ?? own).id }, own.amount);
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

/** Throws `conflict` if an intent cannot have made an operation. */
function assertLike(intent: Intent, made: Intent): Intent {
  if (intent.kind !== made.kind) throw isUnlike(intent, made, 'kind');
  if (toTiyns(intent.amount) !== toTiyns(made.amount)) throw isUnlike(intent, made, 'amount');
  const phones = [intent.clientPhone, made.clientPhone].filter((phone) => phone !== undefined);
  if (new Set(phones).size > 1) throw isUnlike(intent, made, 'clientPhone');
  return intent;
}
