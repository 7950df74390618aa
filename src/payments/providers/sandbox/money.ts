import { randomBytes } from 'node:crypto';
import { fromTiyns, toTiyns } from '../../amount.js';
import type { ProviderAnswer, ProviderError, ProviderInputs } from '../provider.js';
import { type Answers, leftToReturn, refusal, refuse } from './answers.js';
import type { FaultsInForce } from './fault.js';
import type { SandboxCall } from './faulty-provider.js';
import type { SandboxRefund } from './operation.js';
import {
  isOpen,
  lifetime,
  paymentKey,
  refundKey,
  type SandboxOperation,
  scenarioOf,
  statusAt,
} from './operation.js';
import type { SandboxStore } from './store-json/open.js';
import type { SandboxSession } from './store-json/plans.js';

type Draft = Pick<SandboxOperation, 'kind' | 'amount' | 'profileId'> & Partial<SandboxOperation>;

interface MoneyOptions {
  readonly store: SandboxStore;
  readonly faults: FaultsInForce;
  readonly answers: Answers;
  readonly speed: number;
  /** The sandbox's clock, which a fault can shift. */
  now(): number;
}

/** The kinds that the operations of a lookup create. */
const creations = {
  'qr/create': 'qr',
  'invoices/create': 'invoice',
  'refunds/create': 'refund',
} as const;

/** Creates the operations that move money, and the lookup by their keys. */
export function createMoney({ store, faults: inForce, answers, speed, now }: MoneyOptions) {
  const isIdempotent = () => !inForce.has('not-idempotent');

  async function add(
    organizationId: number,
    draft: Draft,
    { idempotencyKey, faults }: SandboxCall,
  ) {
    const createdAt = now();
    const flip = faults.valueOf('flip');
    const key = idempotencyKey && paymentKey(organizationId, draft.kind, idempotencyKey);
    const made = {
      ...draft,
      organizationId,
      createdAt,
      expiresAt: createdAt + lifetime / speed,
      speed,
      orderNumber: String(randomBytes(5).readUIntBE(0, 5) % 10 ** 10).padStart(10, '0'),
      token: randomBytes(12).toString('base64url'),
      failedReads: 0,
      refunds: [],
      ...(idempotencyKey ? { key: idempotencyKey } : {}),
      ...(flip ? { flip } : {}),
    };
    const numbering = inForce.has('same-ids') ? 'organization' : 'all';
    if (isIdempotent()) {
      const operation = await store.addOperation(made, key, numbering);
      assertSameRequest(operation, draft);
      return operation;
    }
    const operation = await store.addOperation(made, undefined, numbering);
    if (key) await store.remember(key, operation.id);
    return operation;
  }

  /** Returns the organization's previous payment of the same kind. */
  async function before({ id, kind, organizationId }: SandboxOperation) {
    const [other] = await store.operations(
      (each) => each.id !== id && each.kind === kind && each.organizationId === organizationId,
    );
    return other;
  }

  async function returnMoney(of: SandboxOperation, amount: number, idempotencyKey?: string) {
    const isRepeated = isIdempotent();
    const request = { amount, ...(idempotencyKey ? { idempotencyKey } : {}) };
    return store.changeOperation(of, async (operation) => {
      const { record, made } = refund(operation, request, now(), isRepeated);
      if (idempotencyKey) {
        const key = refundKey(of.organizationId, idempotencyKey);
        if ((await store.remember(key, of.id)) !== of.id && isRepeated) throw otherRequest();
      }
      return { record, result: answers.refunded(record, made) };
    });
  }

  return {
    /** Creates a payment, or returns the existing payment with the key. */
    async create(
      { organizationId }: SandboxSession,
      draft: Draft,
      call: SandboxCall,
    ): Promise<ProviderAnswer> {
      const scenario = scenarioOf(draft.amount);
      if (scenario.refused) return refusal(10_110, 'The bank declined this payment.');
      const operation = await add(organizationId, draft, call);
      if (call.faults.has('twice')) {
        await add(organizationId, draft, { signal: call.signal, faults: call.faults });
      }
      if (scenario.evicts) await store.sessions.endAllOf(organizationId);
      const other = call.faults.has('duplicate-id') ? await before(operation) : undefined;
      return answers.created({ ...operation, id: other?.id ?? operation.id });
    },
    /** Refunds an amount (tenge) of a payment. */
    async refund(of: SandboxOperation, amount: number, { idempotencyKey, faults }: SandboxCall) {
      const answer = await returnMoney(of, amount, idempotencyKey);
      if (faults.has('twice')) await returnMoney(of, amount).catch(() => {}); // The amount may exceed what is left.
      return answer;
    },
    /** Returns the answer to the request that was made under a key. */
    async lookup(
      { organizationId }: SandboxSession,
      { operation: name }: Pick<ProviderInputs['lookup'], 'operation'>,
      { idempotencyKey = '' }: SandboxCall,
    ): Promise<ProviderAnswer> {
      const kind = creations[name];
      if (kind !== 'refund') {
        const key = paymentKey(organizationId, kind, idempotencyKey);
        const made = await store.operationUnder(organizationId, key);
        // A crash may leave a key with an ID that another process has assigned to a different operation.
        if (made?.key === idempotencyKey) return answers.created(made);
      } else {
        const key = refundKey(organizationId, idempotencyKey);
        const of = await store.operationUnder(organizationId, key);
        const made = of && refundOf(of, idempotencyKey);
        if (made) return answers.refunded(of, made);
      }
      throw refuse('not_found', 10_404, 'No operation exists under this key.');
    },
  };
}

/** Returns the cancelled invoice. Throws `refused` if it has already ended. */
export function cancel(operation: SandboxOperation | undefined, now: number): SandboxOperation {
  if (!operation || !isOpen(statusAt(operation, now))) {
    throw refuse('refused', 10_409, 'The invoice has already ended and cannot be cancelled.');
  }
  return { ...operation, forced: { status: 'RemotePaymentCanceled', at: now } };
}

/** Maximum number of refunds of one operation. Their IDs are the operation's ID with two more digits. */
const maxRefunds = 99;

interface RefundRequest {
  /** Tenge. */
  readonly amount: number;
  readonly idempotencyKey?: string;
}

interface MadeRefund {
  readonly record: SandboxOperation;
  readonly made: SandboxRefund;
}

/**
 * Returns the operation with one more refund, or unchanged if an idempotent sandbox has already refunded under this
 * key. Throws `refused` if the operation is unpaid, the amount exceeds what is left, or there are already 99 refunds.
 */
function refund(
  operation: SandboxOperation | undefined,
  request: RefundRequest,
  now: number,
  isIdempotent = true,
): MadeRefund {
  if (!operation || statusAt(operation, now) !== 'Processed') {
    throw refuse('refused', 10_409, 'Only a paid operation can be refunded.');
  }
  const before = isIdempotent ? refundOf(operation, request.idempotencyKey) : undefined;
  if (before) {
    if (before.amount !== request.amount) throw otherRequest();
    return { record: operation, made: before };
  }
  const left = leftToReturn(operation);
  if (toTiyns(request.amount) > left) {
    const message = `At most ${fromTiyns(left)} tenge can still be refunded.`;
    throw refuse('refused', 10_409, message, { AvailableAmount: fromTiyns(left) });
  }
  if (operation.refunds.length >= maxRefunds) {
    throw refuse('refused', 10_409, `An operation can have at most ${maxRefunds} refunds.`);
  }
  const id = operation.id * 100 + operation.refunds.length + 1;
  const made = { id, createdAt: now, ...request };
  return { record: { ...operation, refunds: [...operation.refunds, made] }, made };
}

/** Returns the refund of an operation that was made under a key. */
function refundOf({ refunds }: SandboxOperation, key: string | undefined) {
  return key ? refunds.find(({ idempotencyKey }) => idempotencyKey === key) : undefined;
}

/** Throws `refused` for a different request under the same idempotency key. */
function assertSameRequest(
  made: SandboxOperation,
  request: Pick<SandboxOperation, 'amount'> & Partial<SandboxOperation>,
): void {
  if (made.amount !== request.amount || made.clientPhone !== request.clientPhone)
    throw otherRequest();
}

function otherRequest(): ProviderError {
  return refuse('refused', 10_409, 'This idempotency key belongs to a different request.');
}
