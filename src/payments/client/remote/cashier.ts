import type { Clock } from '../../../base/clock.js';
import type { RepeatKey } from '../../idempotency.js';
import type { CashierCalls, CashierFacts, PaymentRecords } from '../gateway-client.js';
import { findRefundKey } from '../refund-key.js';
import { checks, isProviderAnswer } from './answer-checks.js';
import type { Ask } from './ask.js';
import { askForMoney } from './money.js';
import { query } from './query.js';

export interface RemoteCashierOptions {
  readonly ask: Ask;
  readonly records: PaymentRecords;
  readonly clock: Clock;
  /** Who it is; asked once. */
  facts(): Promise<CashierFacts>;
}

/** What the cashier of a session can do at a gateway elsewhere. */
export function remoteCashier({ ask, records, clock, facts }: RemoteCashierOptions): CashierCalls {
  const read = (path: string) => ask.get({ path, check: isProviderAnswer });
  const post = (path: string, body: unknown) => ask.post({ path, body, check: isProviderAnswer });
  const pay = (path: string, body: unknown, repeat: RepeatKey, profile: Profile = {}) =>
    askForMoney({
      repeat,
      clock,
      send: ({ headers, timeout }) =>
        ask.post({
          path,
          body,
          headers: { ...profile, ...headers },
          timeout,
          check: isProviderAnswer,
        }),
    });
  return {
    async facts() {
      const { orgName, phone, organizationId, profileId, instance, sandbox } = await facts();
      return {
        ...{ orgName, phone, organizationId, profileId },
        ...(instance === undefined ? {} : { instance }),
        ...(sandbox ? { sandbox } : {}),
      };
    },
    findClient: (phone) => read(`api/invoice/client-info?${query({ phoneNumber: phone })}`),
    createInvoice: ({ profileId, ...order }, repeat) =>
      pay('api/invoice/create', order, repeat, profileOf(profileId)),
    invoiceDetails: (operationId) => read(`api/invoice/details?${query({ operationId })}`),
    cancelInvoice: (operationId) => post('api/invoice/cancel', { operationId }),
    invoiceHistory: () => post('api/invoice/history', {}),
    createQr: ({ profileId, ...order }, repeat) =>
      pay('api/qr/create', order, repeat, profileOf(profileId)),
    operations: (period) => post('api/history/operations', period),
    operationDetails: (id) => post('api/history/details', { id }),
    async refundKey(order) {
      const { instance } = await facts();
      return findRefundKey(records, order, instance);
    },
    refund: (order, repeat) => pay('api/refund/create', order, repeat),
    checkSession: () => ask.get({ path: 'api/session/check', check: checks.session }),
    reconcile: (day, signal) =>
      ask.get({ path: `api/reconciliation?${query({ day })}`, signal, check: checks.differences }),
    adopt({ id, type, intentId: intent }) {
      const body = { id, ...(type ? { type } : {}), ...(intent ? { intent } : {}) };
      return ask.post({ path: 'api/payments/adopt', body, check: checks.adopted });
    },
    async logOut() {
      // Signing out says yes to anybody: first, whether there is somebody to sign out.
      await ask.get({ path: 'api/session', check: checks.facts });
      await post('api/auth/logout', {});
    },
  };
}

type Profile = Readonly<Record<string, string>>;

/** The gateway takes a profile from a header alone. */
function profileOf(id: number | undefined): Profile {
  return id === undefined ? {} : { 'X-Profile-Id': String(id) };
}
