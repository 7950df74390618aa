import * as validators from '#validators/gateway';
import { isObject } from '../../../json/pointers.js';
import type { ProviderAnswer } from '../../providers/provider.js';
import type { Check } from './read-answer.js';

/**
 * What a gateway's answers have to be before anybody reads them: the schemas that it makes them by. Properties that they
 * do not name are let through, as a newer gateway may have more.
 */
export const checks = {
  signedIn: validators.SignedIn,
  facts: validators.SessionFacts,
  session: validators.SessionCheck,
  payment: validators.PaymentRead,
  payments: validators.PaymentPage,
  refunds: validators.RefundPage,
  intents: validators.IntentPage,
  intent: validators.IntentClosed,
  adopted: validators.PaymentAdopted,
  report: validators.DayReport,
  differences: validators.Differences,
} as const;

/** What the provider has said, whatever it is. */
export const isProviderAnswer: Check<ProviderAnswer> = isObject;
