// Limits each process to a share of a processor, so that a machine with few processors can simulate more.
import { access, mkdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Period over which a share is measured, in microseconds. It is short, so that a process never pauses for long. */
const period = 20_000;

/**
 * Limits each process (by ID) to a share of one processor in its own control group. Returns a function that
 * removes the limits after the processes have ended. Throws if the system does not permit limits.
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

/** Returns the folder of the controller. Version 1 has a folder for each controller, version 2 has one for all. */
async function controllerFolder() {
  for (const folder of ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup']) {
    const isThere = await access(join(folder, 'cgroup.procs')).then(
      () => true,
      () => false,
    );
    if (isThere) return folder;
  }
  throw new Error('control groups are not available');
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
