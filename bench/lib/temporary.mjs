import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs `work` with a folder that is removed afterwards, and stops the processes it registers. */
export async function withTemporary(work) {
  const folder = await mkdtemp(join(tmpdir(), 'msgsite-bench-'));
  const processes = [];
  const started = async (starting) => {
    const running = await starting;
    processes.push(running);
    return running;
  };
  try {
    return await work({ folder, started });
  } finally {
    await Promise.all(processes.map((running) => running.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}
