import { ProviderError } from '../providers/provider.js';
import type { Cashier, Sessions } from './sessions.js';

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
