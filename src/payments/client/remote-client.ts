import type { Clock } from '../../base/clock.js';
import { lazy } from '../../base/single-flight.js';
import type { RepeatKey } from '../idempotency.js';
import type { ProviderAnswer } from '../providers/provider.js';
import type {
  CashierCalls,
  CashierFacts,
  GatewayClient,
  PaymentRecords,
  SessionPair,
} from './gateway-client.js';
import { findRefundKey } from './refund-key.js';
import { checks, isProviderAnswer } from './remote/answer-checks.js';
import { type Ask, askAs, askPlainly } from './remote/ask.js';
import { nobodySignedIn } from './remote/failures.js';
import { askForMoney } from './remote/money.js';
import { query } from './remote/query.js';
import { remoteRecords } from './remote/records.js';
import {
  createRemoteTransport,
  type RemoteTransport,
  type TransportOptions,
} from './remote/transport.js';

export interface RemoteClientOptions extends TransportOptions {
  /** What is kept of the sign-in by now, where no session was named, or that one has ended meanwhile. */
  findSession?(): Promise<SessionPair | undefined>;
}

/**
 * A gateway on another machine, over its HTTP API. Nothing is sent before it is needed. Failures are those of the gateway
 * itself, by code; where it cannot be reached, or something else answers, `payments_unavailable`.
 */
export function createRemoteClient(options: RemoteClientOptions): GatewayClient {
  const { clock, findSession } = options;
  const transport = createRemoteTransport(options);
  const { origin } = transport;
  const plain = askPlainly(transport);
  /** Whose session was used last: by that one the zone is asked for. */
  let last: SignedIn | undefined;

  function use(session: SessionPair): SignedIn {
    if (!last || !isSame(last.session, session)) last = signedIn(transport, session);
    return last;
  }

  const records = (session: SessionPair | undefined) => {
    let current = session && use(session);
    return remoteRecords({
      clock,
      ask() {
        if (!current) throw nobodySignedIn();
        return current.ask();
      },
      async renew() {
        const kept = await findSession?.().catch(() => undefined);
        if (kept) current = use(kept);
      },
    });
  };

  return {
    origin,
    async zone() {
      const kept = last?.session ?? (await findSession?.());
      if (!kept) throw nobodySignedIn();
      return (await use(kept).facts()).zone;
    },
    signIn: {
      async start() {
        const path = 'api/auth/init';
        return withoutSuccess(await plain.post({ path, check: isProviderAnswer }));
      },
      async sendPhone(processId, phoneNumber) {
        const path = 'api/auth/send-phone';
        const body = { processId, phoneNumber };
        return withoutSuccess(await plain.post({ path, body, check: isProviderAnswer }));
      },
      async verifyOtp(processId, otp) {
        const path = 'api/auth/verify-otp';
        const body = { processId, otp };
        const { success, ...said } = await plain.post({ path, body, check: checks.signedIn });
        return said;
      },
    },
    async cashier(session) {
      const { ask, facts } = use(session);
      return remoteCashier({ ask: ask(), records: records(session), clock, facts });
    },
    records,
    // The gateway sends them itself.
    sendWebhooks: async () => [],
    async close() {
      transport.close();
    },
  };
}

interface SignedIn {
  readonly session: SessionPair;
  /** Throws `not_signed_in` where the session is none that a gateway could have made. */
  ask(): Ask;
  /** Asked once; a failure is forgotten. */
  facts(): Promise<CashierFacts & { readonly zone: string }>;
}

function signedIn(transport: RemoteTransport, session: SessionPair): SignedIn {
  const ask = () => askAs(transport, session);
  const facts = lazy(() => ask().get({ path: 'api/session', check: checks.facts }));
  return { session, ask, facts: facts.get };
}

function isSame(one: SessionPair, other: SessionPair): boolean {
  return one.tokenSN === other.tokenSN && one.vtokenSecret === other.vtokenSecret;
}

/** What the HTTP API says beside the provider's answer. */
function withoutSuccess(answer: ProviderAnswer): ProviderAnswer {
  const { success, ...said } = answer;
  return said;
}

interface RemoteCashierOptions {
  readonly ask: Ask;
  readonly records: PaymentRecords;
  readonly clock: Clock;
  /** Who it is; asked once. */
  facts(): Promise<CashierFacts>;
}

/** What the cashier of a session can do at a gateway elsewhere. */
function remoteCashier({ ask, records, clock, facts }: RemoteCashierOptions): CashierCalls {
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
