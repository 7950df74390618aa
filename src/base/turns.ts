/** Returns a function that runs work on a key after all earlier work on the same key has completed or failed. */
export function createTurns<Key>() {
  const last = new Map<Key, Promise<unknown>>();
  return async function inTurn<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    const turn = (last.get(key) ?? Promise.resolve()).then(work);
    const ended = turn.catch(() => {});
    last.set(key, ended);
    try {
      return await turn;
    } finally {
      if (last.get(key) === ended) last.delete(key);
    }
  };
}

interface Round {
  running: Promise<void>;
  next: Promise<void> | undefined;
}

/**
 * Returns a function that runs `work` in rounds, one at a time for each name. Each call is covered by a round that
 * starts after the call. Calls during a round share the next one, because the current round may have started before the
 * caller's change.
 */
export function createRounds(
  work: (name: string) => Promise<void>,
): (name: string) => Promise<void> {
  const rounds = new Map<string, Round>();

  function start(name: string): Promise<void> {
    const round: Round = { running: work(name), next: undefined };
    rounds.set(name, round);
    const done = () => {
      if (rounds.get(name) === round && !round.next) rounds.delete(name);
    };
    round.running.then(done, done);
    return round.running;
  }

  return (name) => {
    const round = rounds.get(name);
    if (!round) return start(name);
    round.next ??= round.running.catch(() => {}).then(() => start(name));
    return round.next;
  };
}
