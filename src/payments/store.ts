import { join } from 'node:path';
import type { Clock } from '../base/clock.js';
import type { AppError } from '../base/errors.js';
import type { AnswerStore } from './answer-store.js';
import type { PaymentStore } from './payment-store.js';
import type { SessionStore } from './sessions/session-store.js';
import type { SignInStore } from './sessions/sign-in-store.js';
import { openJsonAnswerStore } from './store-json/answer-store.js';
import { openJsonPaymentStore } from './store-json/payment-store.js';
import { openJsonSessionStore } from './store-json/session-store.js';
import { openJsonSignInStore } from './store-json/sign-in-store.js';

/** Everything the payment feature needs of a storage. */
export interface PaymentStores {
  readonly payments: PaymentStore;
  readonly sessions: SessionStore;
  readonly answers: AnswerStore;
  readonly signIns: SignInStore;
}

export interface JsonPaymentStoresOptions {
  /** `<data>/payments` */
  readonly folder: string;
  readonly clock: Clock;
  /** Told of a record whose file is damaged; it is passed over. */
  onDamaged(error: AppError): void;
}

/** All of it in JSON files, shared with other processes of the same data directory. */
export async function openJsonPaymentStores(
  options: JsonPaymentStoresOptions,
): Promise<PaymentStores> {
  const { folder, clock } = options;
  return {
    payments: await openJsonPaymentStore(options),
    sessions: await openJsonSessionStore(join(folder, 'sessions'), clock),
    answers: await openJsonAnswerStore(join(folder, 'idempotency'), clock),
    signIns: await openJsonSignInStore(join(folder, 'sign-ins'), clock),
  };
}
