import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';

/** Required space in bytes. A run of the whole suite uses at most 3.1 GB. */
const room = 4 * 2 ** 30;

/** The folder in which Linux keeps files in memory. */
const memory = '/dev/shm';

/**
 * Returns the parent of a test run's temporary folder. It is in memory if there is enough for the files and the running
 * programs, because tests otherwise spend much of their time waiting for a disk. TMPDIR takes precedence.
 */
export function roomyFolder() {
  return process.env.TMPDIR || !isRoomy() ? tmpdir() : memory;
}

function isRoomy() {
  if (!existsSync(memory) || !mayRunPrograms()) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= room && availableMemory() >= 2 * room;
}

/** Returns the available memory, within the limit of a container if Node.js detects it. */
function availableMemory() {
  return process.availableMemory?.() ?? freemem();
}

/** Returns whether programs can run there, because the tests' browser and database are unpacked there. */
function mayRunPrograms() {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  const options = mounts.map((line) => line.split(' ')).filter(([, path]) => path === memory);
  return options.every(([, , , flags = '']) => !flags.split(',').includes('noexec'));
}
