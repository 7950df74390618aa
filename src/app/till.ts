import { AppError } from '../base/errors.js';
import type { Logger } from '../base/log.js';
import { paymentKeyOf } from '../orders/following.js';
import { refusedByProvider } from '../orders/refusals.js';
import type { Asked, Till, TillCashier } from '../orders/till.js';
import type { Payments } from '../payments/payments.js';
import { ProviderError } from '../payments/providers/provider.js';
import type { Cashier } from '../payments/sessions/sessions.js';

type SoldOrder = Parameters<TillCashier['createQr']>[0];

/** Takes payments for orders as cashiers do, in the name of whoever is signed in at the gateway. */
export function createTill(
  { sessions, gateway, intents }: Pick<Payments, 'sessions' | 'gateway' | 'intents'>,
  log: Logger,
): Till {
  /** An answer says nothing of an earlier call for the same order that is in doubt. */
  async function isInDoubt({ id }: SoldOrder): Promise<boolean> {
    for await (const { key } of intents.list('in_doubt')) {
      if (key === paymentKeyOf({ id })) return true;
    }
    return false;
  }

  /** What a failure means for the order; throws what nobody can act on here. */
  async function readFailure(order: SoldOrder, error: unknown): Promise<Asked> {
    if (error instanceof AppError && error.code === 'in_doubt') return 'in_doubt';
    if (!(error instanceof ProviderError)) throw error;
    if (!error.isClear || (await isInDoubt(order))) return 'in_doubt';
    if (error.kind === 'session_ended') return 'signed_out';
    const { id, amount } = order;
    log.warn({ order: id, amount, reason: error.message }, 'The payment of an order was refused.');
    throw refusedByProvider(error);
  }

  const asTillCashier = (cashier: Cashier): TillCashier => ({
    organizationId: cashier.session.organizationId,
    profileId: cashier.session.profileId,
    async createQr(order) {
      const { id: reference, amount, profileId } = order;
      const repeat = { key: paymentKeyOf(order), isNew: false };
      try {
        await gateway.createQr(cashier, { amount, reference, profileId }, repeat);
        return 'made';
      } catch (error) {
        return readFailure(order, error);
      }
    },
  });

  return {
    isOpen: sessions.isAnyoneSignedIn,
    cashiers: async (organizationId) =>
      (await sessions.newest(organizationId)).map((cashier) => asTillCashier(cashier)),
  };
}
