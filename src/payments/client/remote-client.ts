import type { ProviderAnswer } from '../providers/provider.js';
import type { CashierFacts, GatewayClient, SessionPair } from './gateway-client.js';
import { checks, isProviderAnswer } from './remote/answer-checks.js';
import { type Ask, askAs, askPlainly } from './remote/ask.js';
import { remoteCashier } from './remote/cashier.js';
import { nobodySignedIn } from './remote/failures.js';
import { remoteRecords } from './remote/records.js';
import { createRemoteTransport, type TransportOptions } from './remote/transport.js';

export interface RemoteClientOptions extends TransportOptions {
  /** What is kept of the sign-in by now, where no session was named, or that one has ended meanwhile. */
  findSession?(): Promise<SessionPair | undefined>;
}

type SessionFacts = CashierFacts & { readonly zone: string };

/**
 * A gateway on another machine, over its HTTP API. Nothing is sent before it is needed. Failures are those of the gateway
 * itself, by code; where it cannot be reached, or something else answers, `payments_unavailable`.
 */
export function createRemoteClient(options: RemoteClientOptions): GatewayClient {
  const { clock, findSession } = options;
  const transport = createRemoteTransport(options);
  const { origin } = transport;
  const plain = askPlainly(transport);
  /** Whoever was signed in last, and what the gateway has said of that session. */
  let known: { readonly session: SessionPair; facts?: Promise<SessionFacts> } | undefined;

  function remember(session: SessionPair): Ask {
    if (known?.session.tokenSN !== session.tokenSN) known = { session };
    return askAs(transport, session);
  }

  /** Of whoever was signed in last. */
  async function zone(): Promise<string> {
    const session = known?.session ?? (await findSession?.());
    if (!session) throw nobodySignedIn();
    known ??= { session };
    return (await factsOf(session)).zone;
  }

  /** Asked once of the session that was remembered last; a failure is forgotten. */
  function factsOf(session: SessionPair): Promise<SessionFacts> {
    const isLast = known?.session.tokenSN === session.tokenSN;
    const asking =
      (isLast ? known?.facts : undefined) ??
      askAs(transport, session).get({ path: 'api/session', check: checks.facts });
    if (known && isLast) known.facts = asking;
    return asking.catch((error: unknown) => {
      if (known?.facts === asking) known = { session };
      throw error;
    });
  }

  const records = (session: SessionPair | undefined) => {
    let current = session;
    if (session) remember(session);
    return remoteRecords({
      clock,
      ask() {
        if (!current) throw nobodySignedIn();
        return askAs(transport, current);
      },
      async renew() {
        current = (await findSession?.().catch(() => undefined)) ?? current;
      },
    });
  };

  return {
    origin,
    zone,
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
        const asked = { path, body: { processId, otp }, check: checks.signedIn };
        const { success, ...signedIn } = await plain.post(asked);
        return signedIn;
      },
    },
    async cashier(session) {
      const ask = remember(session);
      const facts = () => factsOf(session);
      return remoteCashier({ ask, records: records(session), clock, facts });
    },
    records,
    // The gateway sends them itself.
    sendWebhooks: async () => [],
    async close() {
      transport.close();
    },
  };
}

/** What the HTTP API says beside the provider's answer. */
function withoutSuccess(answer: ProviderAnswer): ProviderAnswer {
  const { success, ...said } = answer;
  return said;
}
