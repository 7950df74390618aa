import { syncFolder } from '../../base/files/durable-write.js';
import type { FileLayer } from '../../base/files/file-layer.js';
import { storageError } from '../../base/files/storage-errors.js';

/** Makes a folder's names durable; `storage_unavailable` where that fails. */
export type GroupSync = (folder: string) => Promise<void>;

/** Callers that arrive while an fsync of the folder runs share the next one. */
export function createGroupSync(files: FileLayer): GroupSync {
  return createRounds((folder) =>
    syncFolder(files, folder).catch((cause) => {
      throw storageError(cause, folder);
    }),
  );
}

interface Round {
  running: Promise<void>;
  next: Promise<void> | undefined;
}

/**
 * Does work that covers whatever was before it: one round at a time for each name; all who ask while one
 * is under way share the next, since that one may have begun before what they ask for.
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
