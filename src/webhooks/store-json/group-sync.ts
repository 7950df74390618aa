import { syncFolder } from '../../base/files/durable-write.js';
import type { FileLayer } from '../../base/files/file-layer.js';

/** Makes a folder's names durable; callers that arrive while one fsync runs share the next one. */
export type GroupSync = (folder: string) => Promise<void>;

interface Round {
  running: Promise<void>;
  next: Promise<void> | undefined;
}

export function createGroupSync(files: FileLayer): GroupSync {
  const rounds = new Map<string, Round>();

  function start(folder: string): Promise<void> {
    const round: Round = { running: syncFolder(files, folder), next: undefined };
    rounds.set(folder, round);
    const done = () => {
      if (rounds.get(folder) === round && !round.next) rounds.delete(folder);
    };
    round.running.then(done, done);
    return round.running;
  }

  return (folder) => {
    const round = rounds.get(folder);
    if (!round) return start(folder);
    // The fsync under way may have begun before the caller's change; only the next one covers it.
    round.next ??= round.running.catch(() => {}).then(() => start(folder));
    return round.next;
  };
}
