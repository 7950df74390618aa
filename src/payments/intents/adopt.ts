import { randomUUID } from 'node:crypto';
import type { AuditLine, AuditLog } from '../../base/audit.js';
import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import { toTiyns } from '../amount.js';
import { digestOf } from '../idempotency.js';
import type { Payment, PaymentType } from '../payment.js';
import { maskPhone } from '../phone.js';
import { askOperation } from '../providers/ask-operation.js';
import { readOperation } from '../providers/operation-rows.js';
import { type PaymentProvider, type ProviderAnswer, ProviderError } from '../providers/provider.js';
import type { Cashier } from '../sessions/sessions.js';
import type { PaymentStores } from '../store.js';
import { factsAbout } from '../watching/poll.js';
import { parseProviderTime } from '../zoned-time.js';
import { createFindOperations } from './candidates.js';
import { type Intent, intentIdOf } from './intent.js';
import { clockTolerance } from './match.js';
import { type MadeOperation, type Outcomes, readFound } from './outcomes.js';

/** An operation of the provider that a person adopts. */
export interface Wanted {
  /** The operation's ID; with an intent to refund, the return's, or that of its payment. */
  readonly id: string;
  /** Read from the provider by default. */
  readonly type?: PaymentType | undefined;
  /** The intent in doubt that it settles; found where there is only one that fits. */
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
  /** False where it was stored already. */
  readonly isNew: boolean;
  /** The intents in doubt that are settled by it. */
  readonly settled: readonly Intent[];
}

export interface AdoptOptions {
  readonly stores: Pick<PaymentStores, 'payments' | 'intents' | 'refunds'>;
  readonly provider: PaymentProvider;
  readonly outcomes: Outcomes;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly zone: string;
}

export type Adoption = ReturnType<typeof createAdoption>;

/** What a person decides of money in doubt. */
export function createAdoption(options: AdoptOptions) {
  const { stores, provider, outcomes, audit, clock, zone } = options;
  const { payments, intents } = stores;
  const findOperations = createFindOperations(options);
  const call = () => ({ signal: new AbortController().signal });

  async function doubtful(id: string): Promise<Intent> {
    const intent = await intents.find(id);
    if (!intent) throw new AppError('not_found', `There is no intent ${id}.`, { hint: listHint });
    if (intent.state === 'in_doubt') return intent;
    throw new AppError('conflict', `The intent ${id} is not in doubt any more: ${intent.state}.`);
  }

  async function ask(cashier: Cashier, { id, type }: Wanted): Promise<Found> {
    const types: readonly PaymentType[] = type ? [type] : ['qr', 'invoice'];
    let missing: unknown;
    for (const each of types) {
      try {
        return {
          type: each,
          id,
          answer: await askOperation(provider, { type: each, id }, cashier.credentials, call()),
        };
      } catch (error) {
        if (!(error instanceof ProviderError) || error.kind !== 'not_found') throw error;
        missing = error;
      }
    }
    throw new AppError('not_found', `The provider does not know an operation ${id}.`, {
      cause: missing,
    });
  }

  /** The only intent in doubt that may have made this operation. */
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
    const ids = fitting.map(({ id }) => id).join(', ');
    throw new AppError('conflict', `It may be of any of the intents ${ids}.`, {
      hint: 'Name the right one with --intent.',
    });
  }

  /** An intent that stands for an operation which was not made from here. */
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

  /** Refunds in doubt of a payment: each that the operation's list of returns tells of for certain. */
  async function settleRefunds(
    cashier: Cashier,
    { id, otherId }: Payment,
    who: string,
  ): Promise<Intent[]> {
    const settled: Intent[] = [];
    const open: Intent[] = [];
    for await (const intent of intents.list('in_doubt')) {
      const { kind, organizationId, paymentId } = intent;
      const isOwn = organizationId === cashier.session.organizationId;
      const isOfIt = paymentId === id || (otherId !== undefined && paymentId === otherId);
      if (kind === 'refund' && isOwn && isOfIt) open.push(intent);
    }
    for (const intent of open) {
      const { candidates } = await findOperations(intent, cashier, call());
      const [found, ...others] = candidates;
      const rivals = open.filter(({ amount }) => toTiyns(amount) === toTiyns(intent.amount));
      if (!found || others.length > 0 || rivals.length > 1) continue;
      const made: MadeOperation = { operationId: found.id, amount: found.amount };
      settled.push(await outcomes.adopt(intent, made, who));
    }
    return settled;
  }

  /** Settles a refund in doubt with the return that a person names, or with the only similar one. */
  async function adoptReturn(cashier: Cashier, intent: Intent, id: string): Promise<Adopted> {
    const { organizationId, phone } = cashier.session;
    const { paymentId = '', amount } = intent;
    const [payment] = await payments.find({ id: paymentId, organizationId });
    if (!payment) throw new AppError('not_found', `The payment ${paymentId} is not stored here.`);
    const { candidates } = await findOperations(intent, cashier, call());
    const meant = id === paymentId ? candidates : candidates.filter((each) => each.id === id);
    const [found, ...others] = meant;
    if (!found || others.length > 0) {
      const ids = candidates.map((each) => each.id).join(', ') || 'none';
      throw new AppError(
        found ? 'conflict' : 'not_found',
        `Returns of payment ${paymentId} that may be the refund ${intent.id}: ${ids}.`,
        { hint: found ? 'Choose one of them.' : listHint },
      );
    }
    const who = maskPhone(phone);
    await noteAdoption(
      cashier,
      { payment: paymentId, intent: intent.id, refund: found.id },
      amount,
    );
    const made: MadeOperation = { operationId: found.id, amount: found.amount };
    return { payment, isNew: false, settled: [await outcomes.adopt(intent, made, who)] };
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
    { intentId }: Wanted,
  ): Promise<Intent | undefined> {
    const intent = intentId === undefined ? undefined : await intents.find(intentId);
    return intent?.organizationId === session.organizationId ? intent : undefined;
  }

  /** Returns a payment that is already stored, and settles the intents in doubt that made it. */
  async function adoptKnown(cashier: Cashier, known: Payment, who: string): Promise<Adopted> {
    const settled = await settleRefunds(cashier, known, who);
    const own = known.intentId === undefined ? undefined : await intents.find(known.intentId);
    if (own?.state === 'in_doubt' && own.kind === known.type) {
      settled.push(await outcomes.settle(own, { operationId: known.id, amount: null }, who));
    }
    return { payment: known, isNew: false, settled };
  }

  return {
    /** Adopts an operation, which is watched from then on. Throws `not_found` if the provider does not know it. */
    async adopt(cashier: Cashier, wanted: Wanted): Promise<Adopted> {
      const { organizationId, phone } = cashier.session;
      const who = maskPhone(phone);
      const { id, type } = wanted;
      const refund = await namedIntent(cashier, wanted);
      if (refund?.kind === 'refund') return adoptReturn(cashier, await doubtful(refund.id), id);
      const [known] = await payments.find({ id, type, organizationId });
      if (known) return adoptKnown(cashier, known, who);
      const found = await ask(cashier, wanted);
      const { otherId } = factsAbout(found, found.answer);
      // It may be stored under its other ID.
      const [same] =
        otherId === null
          ? []
          : await payments.find({ id: otherId, type: found.type, organizationId });
      if (same) return adoptKnown(cashier, same, who);
      const own = madeElsewhere(cashier, found);
      const intent =
        wanted.intentId === undefined
          ? await intentOf(own, cashier)
          : assertLike(await doubtful(wanted.intentId), own);
      const made = readFound(found.type, id, found.answer);
      await outcomes.store(intent ?? own, made);
      await noteAdoption(cashier, { payment: id, intent: (intent ?? own).id }, own.amount);
      const settled = intent ? [await outcomes.settle(intent, made, who)] : [];
      const [payment] = await payments.find({ id, type: found.type, organizationId });
      if (!payment) throw new AppError('internal_error', `The payment ${id} is not stored.`);
      return { payment, isNew: true, settled };
    },
    /** Closes an intent in doubt as one that has made nothing. */
    async closeIntent(id: string, who: string): Promise<Intent> {
      return outcomes.closeNotMade(await doubtful(id), who);
    },
  };
}

/** Throws `conflict` where an intent cannot have made an operation. */
function assertLike(intent: Intent, made: Intent): Intent {
  const { id, kind, organizationId } = intent;
  if (kind === made.kind && organizationId === made.organizationId) return intent;
  throw new AppError(
    'conflict',
    `The intent ${id} is one of organization ${organizationId} to make a ${kind}, which ${made.operationId} is not.`,
    { hint: listHint },
  );
}

const listHint = 'msgsite pay payments --state in_doubt lists them.';
