import { lazy } from '../../base/single-flight.js';
import type { ProviderAnswer } from '../providers/provider.js';
import type { CashierFacts, GatewayClient, SessionPair } from './gateway-client.js';
import { checks, isProviderAnswer } from './remote/answer-checks.js';
import { type Ask, askAs, askPlainly } from './remote/ask.js';
import { remoteCashier } from './remote/cashier.js';
import { nobodySignedIn } from './remote/failures.js';
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
