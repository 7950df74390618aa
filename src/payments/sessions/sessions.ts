import { hash } from 'node:crypto';
import pLimit from 'p-limit';
import type { Clock } from '../../base/clock.js';
import { AppError } from '../../base/errors.js';
import type { Logger } from '../../base/log.js';
import { createFlights } from '../../base/single-flight.js';
import {
  type PaymentProvider,
  ProviderError,
  type ProviderSession,
} from '../providers/provider.js';
import type { SignedInFacts } from '../providers/provider-answer.js';
import type { StoredSession } from '../records.js';
import type { SessionStore } from '../store.js';
import { createSessionIndex } from './session-index.js';
import type { SessionVault } from './session-vault.js';

/** An authenticated cashier: a valid session that has not been logged out. */
export interface Cashier {
  /** The session's ID, which is not secret. Rate limits per cashier use it. */
  readonly key: string;
  readonly session: StoredSession;
  /** The provider's token and secret. */
  readonly credentials: ProviderSession;
}

export type Sessions = ReturnType<typeof createSessions>;

export interface SessionsOptions {
  readonly store: SessionStore;
  readonly vault: SessionVault;
  readonly provider: PaymentProvider;
  readonly clock: Clock;
  readonly log: Logger;
  /** Returns whether a payment made with this session is still open. */
  hasOpenPayments(sessionId: string): Promise<boolean>;
  /** Maximum number of open sessions; 10,000 by default. */
  readonly max?: number;
  /** Called once for each active session that the provider has ended. */
  readonly onEnded?: (() => void) | undefined;
}

/** Retention of a session that the provider has ended, in milliseconds. */
const endedLife = 30 * 86_400_000;
/** Time during which a failed logout at the provider is retried, in milliseconds. */
const logoutPatience = 86_400_000;
/** Maximum number of surplus sessions that one round logs out. */
const endedInOneRound = 100;
/** Maximum number of concurrent logouts at the provider. */
const concurrentLogouts = 16;
/** Time limit of the call that ends a session at the provider, in milliseconds. */
const logoutTimeout = 10_000;

/** Maximum number of open cashier sessions. Beyond it, the oldest sessions are logged out. */
const maxSessions = 10_000;

export function createSessions(options: SessionsOptions) {
  const { store, vault, provider, clock, log, max = maxSessions } = options;
  const limit = pLimit(concurrentLogouts);
  const index = createSessionIndex(store, clock);
  const inUse = new Map<string, number>();
  /** Session ends that are being stored. Concurrent calls that detect the same end share one write. */
  const ending = createFlights<string, void>();

  // Cached because decrypting a secret takes 20 µs and every poll of a payment requires one.
  const opened = new WeakMap<StoredSession, ProviderSession>();

  function credentialsOf(session: StoredSession): ProviderSession | undefined {
    const { tokenSN, vtokenSecret } = session;
    const known = opened.get(session);
    if (known) return known;
    const secret = vault.open(vtokenSecret, tokenSN);
    if (secret === undefined) return undefined;
    const credentials = { tokenSN, secret };
    opened.set(session, credentials);
    return credentials;
  }

  const asCashiers = (sessions: readonly StoredSession[]): Cashier[] =>
    sessions.flatMap((session) => {
      const credentials = credentialsOf(session);
      return credentials ? [{ key: session.id, session, credentials }] : [];
    });

  async function change(id: string, fields: Partial<StoredSession>): Promise<void> {
    const session = await store.find(id);
    if (!session) return;
    const changed = { ...session, ...fields };
    await store.update(changed);
    index.put(changed);
  }

  /** Stores and logs the end of a session, unless another process already has. */
  async function noteEnd(id: string): Promise<void> {
    const session = await store.find(id);
    if (!session) return;
    if (session.endedUpstreamAt !== undefined) return index.put(session);
    const ended = { ...session, endedUpstreamAt: clock.now() };
    await store.update(ended);
    index.put(ended);
    if (session.loggedOutAt !== undefined) return;
    const { organizationId: organization, profileId: cashier } = session;
    log.warn(
      { organization, cashier, session: id },
      'The provider has ended a cashier’s session. The cashier must sign in again: msgsite pay login.',
    );
    options.onEnded?.();
  }

  async function isNeeded(id: string): Promise<boolean> {
    return inUse.has(id) || (await options.hasOpenPayments(id));
  }

  /** Ends a session at the provider. Returns true if it has ended there or is no longer retried. */
  async function endUpstream(session: StoredSession): Promise<boolean> {
    const credentials = credentialsOf(session);
    if (!credentials || session.endedUpstreamAt !== undefined) return true;
    const signal = AbortSignal.timeout(logoutTimeout);
    try {
      await provider.endSession({ session: credentials }, { signal });
      return true;
    } catch (error) {
      if (error instanceof ProviderError && error.kind === 'session_ended') return true;
      const reason = error instanceof Error ? error.message : String(error);
      log.warn({ reason }, 'A logout at the provider failed and will be retried.');
      return clock.now() - (session.loggedOutAt ?? 0) > logoutPatience;
    }
  }

  async function eraseUnlessNeeded(session: StoredSession): Promise<void> {
    if (await isNeeded(session.id)) return;
    if (!(await endUpstream(session))) return;
    await store.erase(session);
    index.remove(session.id);
  }

  /** Logs out the oldest surplus sessions. Their cashiers can sign in again, and their payments are still watched. */
  async function endSurplus(): Promise<void> {
    const open = index.all().filter(({ loggedOutAt }) => loggedOutAt === undefined);
    if (open.length <= max) return;
    const oldest = open.sort((a, b) => a.createdAt - b.createdAt).slice(0, open.length - max);
    for (const { id } of oldest.slice(0, endedInOneRound)) {
      await change(id, { loggedOutAt: clock.now() });
    }
  }

  return {
    /** Stores a new session and returns it with the `vtokenSecret` for the client. */
    async add(facts: SignedInFacts): Promise<StoredSession> {
      const { tokenSN, secret, organizationId, profileId, orgName, phone, capabilities } = facts;
      const session: StoredSession = {
        id: sessionId(tokenSN),
        tokenSN,
        vtokenSecret: vault.seal(secret, tokenSN),
        organizationId,
        profileId,
        orgName,
        phone,
        createdAt: clock.now(),
        capabilities,
      };
      await store.add(session);
      index.put(session);
      return session;
    },
    /** Returns the cashier of a session. Throws `unauthorized` if it is missing, forged, mismatched or logged out. */
    async authenticate(tokenSN: string, vtokenSecret: string): Promise<Cashier> {
      if (tokenSN === '' || vtokenSecret === '') {
        throw unauthorized('The headers X-Token-SN and X-Vtoken-Secret are required.');
      }
      const secret = vault.open(vtokenSecret, tokenSN);
      const session = secret === undefined ? undefined : await store.find(sessionId(tokenSN));
      if (secret === undefined || !session || session.loggedOutAt !== undefined) {
        throw unauthorized('The session is not valid. Sign in again.');
      }
      return { key: session.id, session, credentials: { tokenSN, secret } };
    },
    /** Returns whether clients can use the session of this token. */
    async isOpen(tokenSN: string): Promise<boolean> {
      const session = await store.find(sessionId(tokenSN));
      return session !== undefined && session.loggedOutAt === undefined;
    },
    /**
     * Returns sessions for polling a payment, the best first: the newest valid ones of the organization, then the one
     * that made the payment (even if logged out), then one that the provider has reported as ended.
     */
    async forPayment(organizationId: number, madeWith: string): Promise<Cashier[]> {
      return asCashiers(await index.choose(organizationId, madeWith));
    },
    /** Returns the newest three sessions that can make payments, of one or all organizations. */
    newest: async (organizationId?: number) => asCashiers(await index.newest(organizationId)),
    /**
     * Returns whether a session can make payments. A sign-in or logout in this process takes effect immediately, and
     * one in another process within seconds if `refresh` is called every second.
     */
    isAnyoneSignedIn: index.hasValid,
    /** Stores that the provider has ended a session. The first call for an active session also logs it. */
    async markEnded(id: string): Promise<void> {
      if (index.get(id)?.endedUpstreamAt !== undefined) return;
      await ending(id, () => noteEnd(id));
    },
    /** Ends a session immediately for clients, and at the provider once no open payment requires it. */
    async logOut({ session }: Cashier): Promise<void> {
      await change(session.id, { loggedOutAt: clock.now() });
      await eraseUnlessNeeded(session);
    },
    /** Prevents a logout at the provider until the returned function is called. */
    hold(id: string): () => void {
      inUse.set(id, (inUse.get(id) ?? 0) + 1);
      return () => {
        const left = (inUse.get(id) ?? 1) - 1;
        if (left === 0) inUse.delete(id);
        else inUse.set(id, left);
      };
    },
    /** Reads the sign-ins of other processes and returns the organizations with a new session. */
    refresh: index.refresh,
    /**
     * Ends logged-out sessions at the provider and erases them, unless an open payment requires them. Also logs out the
     * oldest surplus sessions.
     */
    async eraseEnded(): Promise<void> {
      const now = clock.now();
      await endSurplus();
      const ended = index.all().filter(({ loggedOutAt, endedUpstreamAt = now }) => {
        return loggedOutAt !== undefined || now - endedUpstreamAt > endedLife;
      });
      // In parallel, so that one slow call does not delay the others.
      await Promise.all(ended.map((session) => limit(() => eraseUnlessNeeded(session))));
    },
  };
}

/** Returns the facts about a session that its cashier may see; `instance` is the ID of the deployment. */
export function sessionFacts(session: StoredSession, instance: string | undefined) {
  const { orgName, phone, organizationId, profileId, capabilities } = session;
  return {
    ...{ orgName, phone, organizationId, profileId },
    ...(instance === undefined ? {} : { instance }),
    ...(capabilities?.sandbox ? ({ sandbox: true } as const) : {}),
  };
}

/** Returns the ID of a session for files and logs. It does not reveal the tokenSN. */
function sessionId(tokenSN: string): string {
  return hash('sha256', tokenSN).slice(0, 40);
}

function unauthorized(message: string): AppError {
  return new AppError('unauthorized', message, {
    hint: 'Sign in with msgsite pay login, or POST /api/auth/init.',
  });
}

type Needed = Pick<Sessions, 'forPayment' | 'markEnded'>;

/** Calls the provider with a session. Stores the session's end if the provider reports it. */
export async function askAsCashier<Answer>(
  sessions: Pick<Sessions, 'markEnded'>,
  { key }: Pick<Cashier, 'key'>,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'session_ended') {
      await sessions.markEnded(key);
    }
    throw error;
  }
}

/**
 * Calls the provider with the best session of an organization, and with the next one if that has ended. Throws
 * `session_ended` if no session is left.
 */
export async function askAsOrganization<Answer>(
  sessions: Needed,
  { organizationId, sessionId }: { readonly organizationId: number; readonly sessionId: string },
  ask: (session: Cashier) => Promise<Answer>,
): Promise<Answer> {
  let failure: ProviderError | undefined;
  for (const session of await sessions.forPayment(organizationId, sessionId)) {
    try {
      return await askAsCashier(sessions, session, () => ask(session));
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'session_ended') throw error;
      failure = error;
    }
  }
  throw (
    failure ?? new ProviderError('session_ended', 'No cashier of the organization is signed in.')
  );
}
