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
  /** The payment store. Its changes notify pending waits. */
  readonly store: PaymentStore;
  readonly provider: PaymentProvider;
  readonly sessions: Sessions;
  readonly audit: AuditLog;
  readonly follower: PaymentFollower;
  /** Stores the deliveries of an event. A payment is marked as ended only after this resolves. */
  readonly announce: Announce;
  readonly clock: Clock;
  readonly log: Logger;
  /** IANA time zone for the provider's dates without an offset. */
  readonly zone: string;
  /** Interval between the starts of two polls of a payment, in milliseconds. */
  readonly interval: number;
  /** Time limit of a call to the provider, in milliseconds. */
  readonly providerTimeout: number;
}
