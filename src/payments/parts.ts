import type { AuditLog } from '../base/audit.js';
import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/log.js';
import type { Announce } from './payment-event.js';
import type { PaymentFollower } from './payment-follower.js';
import type { PaymentProvider } from './providers/provider.js';
import type { Sessions } from './sessions/sessions.js';
import type { PaymentStore, PaymentStores } from './store.js';

/** The parts that the functions of the payment feature share. */
export interface PaymentParts {
  readonly stores: PaymentStores;
  /** The store of payments that wakes those who wait for changes. */
  readonly store: PaymentStore;
  readonly provider: PaymentProvider;
  readonly sessions: Sessions;
  readonly audit: AuditLog;
  readonly follower: PaymentFollower;
  /** Stores the deliveries of an event; a payment is marked ended only after it resolves. */
  readonly announce: Announce;
  readonly clock: Clock;
  readonly log: Logger;
  /** IANA zone of the provider's dates without a zone. */
  readonly zone: string;
  /** Milliseconds from the start of one poll of a payment to the start of the next. */
  readonly interval: number;
  /** Milliseconds that a call to the provider may take. */
  readonly providerTimeout: number;
}
