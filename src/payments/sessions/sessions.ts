import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
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

/** Who asks: an authentic session that has not been logged out. */
export interface Cashier {
  /** Names the session without giving it away; limits per cashier count under it. */
  readonly key: string;
  readonly session: StoredSession;
  /** The provider's own token and secret. */
  readonly credentials: ProviderSession;
}

/** What asking the provider with a session takes. */
type Credentials = Pick<Cashier, 'key' | 'credentials'>;

export type Sessions = ReturnType<typeof createSessions>;

export interface SessionsOptions {
  readonly store: SessionStore;
  readonly vault: SessionVault;
  readonly provider: PaymentProvider;
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether a payment made with this session is still open. */
  hasOpenPayments(sessionId: string): Promise<boolean>;
  /** How many sessions can be open; 10,000 by default. */
  readonly most?: number;
  /** Called once for each session in use that the provider has ended. */
  readonly onEnded?: (() => void) | undefined;
}

/** A session that ended upstream, or that cannot be ended there, is kept no longer than this. */
const endedLife = 30 * 86_400_000;
const logoutPatience = 86_400_000;
/** Surplus sessions logged out in one round, and sessions ended upstream at once. */
const endedInOneRound = 100;
const endedAtOnce = 16;
/** Milliseconds for the call that ends a session at the provider. */
const logoutTimeout = 10_000;

/** Characters of all cached session secrets together; the provider decides how long one is. @bound */
const openedCharacters = 4 * 1024 * 1024;

/** The most open cashier sessions; beyond, the oldest is ended. */
const mostSessions = 10_000;
/** The most sessions whose secret is cached. */
const cachedSessions = 1_000;

export function createSessions(options: SessionsOptions) {
  const { store, vault, provider, clock, log, most = mostSessions } = options;
  const limit = pLimit(endedAtOnce);
  const index = createSessionIndex(store, clock);
  const inUse = new Map<string, number>();
  /** Ends that are being stored, as many calls with one session may notice at once. */
  const ending = createFlights<string, void>();

  // Every poll of a payment needs one; opening the same sealed secret gives the same each time.
  const opened = new LRUCache<string, Credentials>({
    max: cachedSessions,
    maxSize: openedCharacters,
    sizeCalculation: (_, vtokenSecret) => 2 * vtokenSecret.length,
  });

  function open(session: StoredSession): Credentials | undefined {
    const { id: key, tokenSN, vtokenSecret } = session;
    const known = opened.get(vtokenSecret);
    if (known) return known;
    const secret = vault.open(vtokenSecret, tokenSN);
    if (secret === undefined) return undefined;
    const credentials = { key, credentials: { tokenSN, secret } };
    opened.set(vtokenSecret, credentials);
    return credentials;
  }

  const asCashiers = (sessions: readonly StoredSession[]): Cashier[] =>
    sessions.flatMap((session) => {
      const found = open(session);
      return found ? [{ ...found, session }] : [];
    });

  async function change(id: string, fields: Partial<StoredSession>): Promise<void> {
    const session = await store.find(id);
    if (!session) return;
    const changed = { ...session, ...fields };
    await store.update(changed);
    index.put(changed);
  }

  /** Another process may have noticed first. */
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
      'The provider has ended a cashier’s session. The cashier has to sign in again: msgsite pay login.',
    );
    options.onEnded?.();
  }

  async function isNeeded(id: string): Promise<boolean> {
    return inUse.has(id) || (await options.hasOpenPayments(id));
  }

  /** True once the provider knows, or need not know. */
  async function endUpstream(session: StoredSession): Promise<boolean> {
    const found = open(session);
    if (!found || session.endedUpstreamAt !== undefined) return true;
    const signal = AbortSignal.timeout(logoutTimeout);
    try {
      await provider.endSession({ session: found.credentials }, { signal });
      return true;
    } catch (error) {
      if (error instanceof ProviderError && error.kind === 'session_ended') return true;
      const reason = error instanceof Error ? error.message : String(error);
      log.warn({ reason }, 'The provider could not be told of a logout; it is tried again.');
      return clock.now() - (session.loggedOutAt ?? 0) > logoutPatience;
    }
  }

  async function eraseUnlessNeeded(session: StoredSession): Promise<void> {
    if (await isNeeded(session.id)) return;
    if (!(await endUpstream(session))) return;
    await store.erase(session);
    index.remove(session.id);
    opened.delete(session.vtokenSecret);
  }

  /** Signing in again is all that it takes; payments are still watched with what is left. */
  async function endSurplus(): Promise<void> {
    const open = index.all().filter(({ loggedOutAt }) => loggedOutAt === undefined);
    if (open.length <= most) return;
    const oldest = open.sort((a, b) => a.createdAt - b.createdAt).slice(0, open.length - most);
    for (const { id } of oldest.slice(0, endedInOneRound)) {
      await change(id, { loggedOutAt: clock.now() });
    }
  }

  return {
    /** Keeps a fresh session; gives it with the `vtokenSecret` that the client stores. */
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
    /** Throws `unauthorized` for missing, forged, mismatched and logged-out pairs. */
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
    /** Whether a session of this name can be used by clients. */
    async isOpen(tokenSN: string): Promise<boolean> {
      const session = await store.find(sessionId(tokenSN));
      return session !== undefined && session.loggedOutAt === undefined;
    },
    /**
     * Sessions to poll a payment with, the best first: the newest valid ones of the organization,
     * then the one it was made with (even if logged out), then one that is said to have ended.
     */
    async forPayment(organizationId: number, madeWith: string): Promise<Cashier[]> {
      return asCashiers(await index.choose(organizationId, madeWith));
    },
    /** The newest sessions that payments can be made with, at most three; of one organization, where it is named. */
    newest: async (organizationId?: number) => asCashiers(await index.newest(organizationId)),
    /**
     * Whether there is one: at once after a sign-in or a logout in this process, and within some seconds of another's
     * where `refresh` is called every second.
     */
    isAnyoneSignedIn: index.hasValid,
    /** Stores that the provider has ended a session. The first call for a session in use also reports it. */
    async markEnded(id: string): Promise<void> {
      if (index.get(id)?.endedUpstreamAt !== undefined) return;
      await ending(id, () => noteEnd(id));
    },
    /** Ends a session for clients at once, and upstream as soon as no open payment needs it. */
    async logOut({ session }: Cashier): Promise<void> {
      await change(session.id, { loggedOutAt: clock.now() });
      await eraseUnlessNeeded(session);
    },
    /** Keeps a session from being ended upstream while a payment is being made with it. */
    hold(id: string): () => void {
      inUse.set(id, (inUse.get(id) ?? 0) + 1);
      return () => {
        const left = (inUse.get(id) ?? 1) - 1;
        if (left === 0) inUse.delete(id);
        else inUse.set(id, left);
      };
    },
    /** Notices sign-ins of other processes; gives the organizations that have a new session. */
    refresh: index.refresh,
    /**
     * Ends upstream and erases the logged-out sessions that no open payment needs any more. Of too many
     * sessions the oldest are logged out.
     */
    async eraseEnded(): Promise<void> {
      const now = clock.now();
      await endSurplus();
      const ended = index.all().filter(({ loggedOutAt, endedUpstreamAt = now }) => {
        return loggedOutAt !== undefined || now - endedUpstreamAt > endedLife;
      });
      // A provider that does not answer would hold up whatever comes after, one by one.
      await Promise.all(ended.map((session) => limit(() => eraseUnlessNeeded(session))));
    },
  };
}

/** Names a session in files and logs; from it the tokenSN cannot be found. */
function sessionId(tokenSN: string): string {
  return hash('sha256', tokenSN).slice(0, 40);
}

function unauthorized(message: string): AppError {
  return new AppError('unauthorized', message, {
    hint: 'msgsite pay login, or POST /api/auth/init.',
  });
}

type Needed = Pick<Sessions, 'forPayment' | 'markEnded'>;

/** Asks the provider with a session; if the answer is that the session has ended, stores that. */
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
 * Asks the provider with the best session of an organization, and with the next one where that has ended.
 * `session_ended` where there is none.
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
  throw failure ?? new ProviderError('session_ended', 'Nobody of the organization is signed in.');
}
