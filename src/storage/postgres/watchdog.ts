import type { ServerPlace, Session } from './session.js';

/** What a server does for one of its sessions, as it says itself (`pg_stat_activity`). */
export interface Activity {
  readonly pid: number;
  readonly isWorking: boolean;
}

export interface WatchdogOptions {
  /** What the sessions at a place do; rejects where it gives no answer. Undefined: it lives, but does not say. */
  ask(place: ServerPlace): Promise<readonly Activity[] | undefined>;
  /** Milliseconds after which the server ends a statement; 0 where it never does. */
  readonly statementTimeout: number;
  onSilent(place: ServerPlace): void;
}

/** How often sockets are looked at, in milliseconds. */
const lookEvery = 1_000;
/** Milliseconds without a byte, while an answer is expected, after which the server is checked. */
const longestQuiet = 3_000;
/** Milliseconds that the end of a statement may take to arrive. */
const lateness = 2_000;

interface Watched {
  readonly session: Session;
  /** Changes with every byte that comes or goes. */
  progress: string;
  quietSince: number;
}

/**
 * Closes sockets whose other end is silently gone: a server that hangs, a cable that was pulled. TCP itself would
 * notice after a quarter of an hour. A statement may take long, so silence alone says nothing: the server is asked over
 * another connection. One that gives no answer there loses all its sockets; one that lives says whether it still
 * works for a session. Where statements have no bound, a server that lives is believed.
 */
export function createWatchdog({ ask, statementTimeout, onSilent }: WatchdogOptions) {
  const all = new Set<Watched>();
  /** When places were asked last; one that lives is not asked again at once for a statement that takes long. */
  const asked = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    const now = performance.now();
    for (const watched of all) {
      const { session } = watched;
      const { socket, place } = session;
      if (socket.destroyed) {
        all.delete(watched);
        continue;
      }
      const progress = `${socket.bytesRead} ${socket.writableLength}`;
      if (progress !== watched.progress || !session.isBusy()) watched.quietSince = now;
      watched.progress = progress;
      if (now - watched.quietSince >= longestQuiet) void examine(place);
    }
    if (all.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  async function examine(place: ServerPlace): Promise<void> {
    const last = asked.get(place.name) ?? Number.NEGATIVE_INFINITY;
    if (performance.now() - last < longestQuiet) return;
    // Until it has answered, it is not asked a second time.
    asked.set(place.name, Number.POSITIVE_INFINITY);
    try {
      const activities = await ask(place);
      for (const watched of at(place)) if (isLost(watched, activities)) close(watched);
    } catch {
      onSilent(place);
      for (const watched of at(place)) close(watched);
    } finally {
      asked.set(place.name, performance.now());
    }
  }

  const at = ({ name }: ServerPlace) =>
    [...all].filter(({ session }) => session.place.name === name);

  function isLost(watched: Watched, activities: readonly Activity[] | undefined): boolean {
    const quiet = performance.now() - watched.quietSince;
    if (statementTimeout === 0 || quiet < longestQuiet) return false;
    const activity = activities?.find(({ pid }) => pid === watched.session.pid);
    // Not listed: another program is in between, which has numbers of its own.
    return activity ? !activity.isWorking : quiet > statementTimeout + lateness;
  }

  return {
    watch(session: Session): void {
      all.add({ session, progress: '', quietSince: performance.now() });
      timer ??= setInterval(look, lookEvery).unref();
    },
  };
}

function close({ session }: Watched): void {
  const fault = new Error(`No answer from ${session.place.name}.`);
  session.socket.destroy(Object.assign(fault, { code: 'ETIMEDOUT' }));
}
