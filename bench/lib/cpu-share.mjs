// Gives processes a share of a processor each, so that a machine with few of them shows what more would do.
import { access, mkdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Microseconds over which a share is counted: short, so that nobody is held up for long at a time. */
const period = 20_000;

/**
 * Bounds each process (by its id) to this share of one processor, in a control group of its own. Gives what
 * takes the bounds away once the processes have ended; throws where the system lets nobody bound them here.
 */
export async function boundShares(pids, share) {
  const root = await controllerFolder();
  const made = [];
  for (const pid of pids) {
    const folder = join(root, `msgsite-bench-${process.pid}-${pid}`);
    await mkdir(folder);
    made.push(folder);
    await setShare(root, folder, share);
    await writeFile(join(folder, 'cgroup.procs'), String(pid));
  }
  return async () => {
    for (const folder of made) await rmdir(folder);
  };
}

/** Version 1 has a folder for each controller, version 2 one for all. */
async function controllerFolder() {
  for (const folder of ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup']) {
    const isThere = await access(join(folder, 'cgroup.procs')).then(
      () => true,
      () => false,
    );
    if (isThere) return folder;
  }
  throw new Error('there are no control groups');
}

async function setShare(root, folder, share) {
  const quota = Math.round(period * share);
  if (root.endsWith('/cpu')) {
    await writeFile(join(folder, 'cpu.cfs_period_us'), String(period));
    await writeFile(join(folder, 'cpu.cfs_quota_us'), String(quota));
    return;
  }
  await writeFile(join(folder, 'cpu.max'), `${quota} ${period}`);
}
