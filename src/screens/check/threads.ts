/** Files that a further thread has to have to itself before it pays for its start (about 40 ms). */
const filesPerThread = 150;

/** More threads than this wait for the disk and for the thread that prints. */
const mostThreads = 8;

/** How many threads, the main one included, check so many files on a machine of so many cores. */
export function threadCount(files: number, cores: number): number {
  return Math.max(1, Math.min(mostThreads, cores, Math.floor(files / filesPerThread)));
}
