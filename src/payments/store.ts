import type { AnswerStore } from './answer-store.js';
import type { PaymentStore } from './payment-store.js';
import type { SessionStore } from './sessions/session-store.js';
import type { SignInStore } from './sessions/sign-in-store.js';

/** Everything the payment feature needs of a storage. */
export interface PaymentStores {
  readonly payments: PaymentStore;
  readonly sessions: SessionStore;
  readonly answers: AnswerStore;
  readonly signIns: SignInStore;
  /** Gives back what is claimed here. Everything can still be read. */
  close(): Promise<void>;
}
