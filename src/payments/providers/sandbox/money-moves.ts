import { fromTiyns, toTiyns } from '../../amount.js';
import type { ProviderError } from '../provider.js';
import { leftToReturn, refuse } from './answers.js';
import type { SandboxOperation, SandboxRefund } from './operation.js';
import { isOpen, statusAt } from './scenario.js';

/** The invoice as cancelled; refused when it has ended already. */
export function cancel(operation: SandboxOperation | undefined, now: number): SandboxOperation {
  if (!operation || !isOpen(statusAt(operation, now))) {
    throw refuse('refused', 10_409, 'The invoice has ended already and cannot be cancelled.');
  }
  return { ...operation, forced: { status: 'RemotePaymentCanceled', at: now } };
}

/** The most refunds of one operation: their IDs are the operation's with two more digits. */
const mostRefunds = 99;

interface WantedRefund {
  /** Tenge. */
  readonly amount: number;
  readonly idempotencyKey?: string;
}

interface MadeRefund {
  readonly record: SandboxOperation;
  readonly made: SandboxRefund;
}

/**
 * The operation with one more refund, or as it is where the same key has returned the amount before
 * (and the sandbox is idempotent). Refused for an unpaid operation, above what is left and after 99 refunds.
 */
export function refund(
  operation: SandboxOperation | undefined,
  wanted: WantedRefund,
  now: number,
  isIdempotent = true,
): MadeRefund {
  if (!operation || statusAt(operation, now) !== 'Processed') {
    throw refuse('refused', 10_409, 'Only a paid operation can be returned.');
  }
  const before = isIdempotent ? refundOf(operation, wanted.idempotencyKey) : undefined;
  if (before) {
    if (before.amount !== wanted.amount) throw otherRequest();
    return { record: operation, made: before };
  }
  const left = leftToReturn(operation);
  if (toTiyns(wanted.amount) > left) {
    const message = `At most ${fromTiyns(left)} tenge are left to return.`;
    throw refuse('refused', 10_409, message, { AvailableAmount: fromTiyns(left) });
  }
  if (operation.refunds.length >= mostRefunds) {
    throw refuse('refused', 10_409, `At most ${mostRefunds} refunds can be made of one operation.`);
  }
  const id = operation.id * 100 + operation.refunds.length + 1;
  const made = { id, createdAt: now, ...wanted };
  return { record: { ...operation, refunds: [...operation.refunds, made] }, made };
}

/** The refund that a key has made of an operation. */
export function refundOf({ refunds }: SandboxOperation, key: string | undefined) {
  return key ? refunds.find(({ idempotencyKey }) => idempotencyKey === key) : undefined;
}

/** An idempotency key names one request; another request under it is a mistake worth reporting. */
export function assertSameRequest(
  made: SandboxOperation,
  asked: Pick<SandboxOperation, 'amount'> & Partial<SandboxOperation>,
): void {
  if (made.amount !== asked.amount || made.clientPhone !== asked.clientPhone) throw otherRequest();
}

/** What a key is refused with that stands for another request. */
export function otherRequest(): ProviderError {
  return refuse('refused', 10_409, 'This idempotency key belongs to another request.');
}
