import { DatabaseError } from 'pg';
import { isDatabaseAway } from './database-errors.js';
import type { Place, Session } from './session.js';
import { openTarget, type Target } from './target.js';
import type { Activity } from './watchdog.js';
import { within } from './within.js';

/** Milliseconds that a living server may take to answer a new connection. @internal */
const patience = 3_000;

/**
 * What one server does for this user's sessions, asked over a connection of its own. Rejects where it gives no answer, or
 * says that it is starting or stopping; undefined where it answers and refuses to say, as with too many connections.
 */
export async function askPlace(
  target: Target,
  place: Place,
): Promise<readonly Activity[] | undefined> {
  const client = { ...target.client, application_name: 'msgsite watchdog' };
  let session: Session | undefined;
  try {
    session = await openTarget({ ...target, client, timeout: patience }, place, {
      isPipelined: false,
    });
    return await within(patience, readActivities(session));
  } catch (error) {
    const { cause = error } = error as { readonly cause?: unknown };
    if (isAnswer(cause)) return undefined;
    throw error;
  } finally {
    session?.destroy();
  }
}

async function readActivities(session: Session): Promise<readonly Activity[]> {
  // A server that waits for its client has done its part.
  const { rows } = await session.run({
    text: `select pid, coalesce(state = 'active' and wait_event_type is distinct from 'Client', true) as is_working
      from pg_stat_activity where usename = current_user`,
    values: [],
    isPrepared: false,
  });
  return rows as unknown as readonly Activity[]; // What the statement selects.
}

/** Whether a server that works refused the connection or the question. */
function isAnswer(error: unknown): boolean {
  return (
    error instanceof DatabaseError && !(isDatabaseAway(error) && /^57P/.test(error.code ?? ''))
  );
}
