import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';

/** Required bytes; a run of the whole suite uses at most 3.1 GB. */
const room = 4 * 2 ** 30;

/** The folder in which Linux keeps files in memory. */
const memory = '/dev/shm';

/**
 * Returns the folder for a test run's temporary folder: in memory if there is enough for it and for the running programs,
 * because tests otherwise spend much of their time waiting for a disk. A TMPDIR in the environment wins.
 */
export function roomyFolder() {
  return process.env.TMPDIR || !isRoomy() ? tmpdir() : memory;
}

function isRoomy() {
  if (!existsSync(memory) || !mayRunPrograms()) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= room && availableMemory() >= 2 * room;
}

/** Returns the available memory, within the limit of a container if Node.js knows it. */
function availableMemory() {
  return process.availableMemory?.() ?? freemem();
}

/** The tests' browser and database are unpacked there. */
function mayRunPrograms() {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  const options = mounts.map((line) => line.split(' ')).filter(([, path]) => path === memory);
  return options.every(([, , , given = '']) => !given.split(',').includes('noexec'));
}
