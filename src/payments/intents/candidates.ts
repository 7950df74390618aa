import { exactInteger } from '../../json/exact-json.js';
import { toTiyns } from '../amount.js';
import { operationsBack } from '../history-pages.js';
import { readOperation } from '../providers/operation-rows.js';
import type { PaymentProvider, ProviderCall } from '../providers/provider.js';
import type { Cashier } from '../sessions/sessions.js';
import type { PaymentStores } from '../store.js';
import type { Intent } from './intent.js';
import { type Candidate, clockTolerance, operationsLike, returnsLike } from './match.js';

export interface CandidateOptions {
  readonly stores: Pick<PaymentStores, 'payments' | 'refunds'>;
  readonly provider: PaymentProvider;
  readonly zone: string;
}

/** Gives what an intent may have made: operations of the provider that are like it and not stored here. */
export type FindCandidates = (
  intent: Intent,
  session: Cashier,
  call: ProviderCall,
) => Promise<readonly Candidate[]>;

export function createFindCandidates(options: CandidateOptions): FindCandidates {
  const { stores, provider, zone } = options;

  async function unstoredPayments(
    intent: Intent,
    { credentials: session }: Cashier,
    call: ProviderCall,
  ): Promise<Candidate[]> {
    const { organizationId, createdAt } = intent;
    const rows = operationsBack((period) => provider.operations({ session, ...period }, call), {
      since: createdAt - clockTolerance,
      until: createdAt + clockTolerance,
      zone,
    });
    // Pages may overlap, and a provider may give the same page again.
    const found = new Map<string, Candidate>();
    for await (const row of rows) {
      for (const like of operationsLike(intent, [row], zone)) {
        const type = intent.kind === 'qr' ? 'qr' : 'invoice';
        const known = await stores.payments.find({ id: like.id, type, organizationId });
        if (known.length === 0) found.set(like.id, like);
      }
    }
    return [...found.values()];
  }

  async function unstoredReturns(
    intent: Intent,
    { credentials: session }: Cashier,
    call: ProviderCall,
  ): Promise<Candidate[]> {
    const { paymentId = '', organizationId } = intent;
    const input = { session, id: exactInteger(paymentId), operationMethod: 0 };
    const returns = readOperation(await provider.operationDetails(input, call))?.returns ?? [];
    const known = new Set<string>();
    /** Refunds of the same amount of which it is not known which return they are. */
    let nameless = 0;
    for await (const refund of stores.refunds.list()) {
      const isOfIt = refund.paymentId === paymentId && refund.organizationId === organizationId;
      if (!isOfIt || refund.outcome !== 'success') continue;
      known.add(refund.id);
      const isLike = toTiyns(refund.amount) === toTiyns(intent.amount);
      if (isLike && refund.id === refund.intentId) nameless += 1;
    }
    const unknown = returnsLike(intent, returns, zone).filter(({ id }) => !known.has(id));
    return unknown.length > nameless ? unknown : [];
  }

  return (intent, session, call) =>
    intent.kind === 'refund'
      ? unstoredReturns(intent, session, call)
      : unstoredPayments(intent, session, call);
}
