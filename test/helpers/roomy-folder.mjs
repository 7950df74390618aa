import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';

/** Bytes: a run of the whole suite takes 3.1 GB at most. */
const room = 4 * 2 ** 30;

/** Where Linux keeps files in memory. */
const memory = '/dev/shm';

/**
 * Where a test run makes its temporary folder: in memory where there is room for it and for the programs
 * that run, as much of what tests wait for is a disk otherwise. A TMPDIR that is set stands.
 */
export function roomyFolder() {
  return process.env.TMPDIR || !isRoomy() ? tmpdir() : memory;
}

function isRoomy() {
  if (!existsSync(memory) || !mayRunPrograms()) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= room && availableMemory() >= 2 * room;
}

/** A container's limit counts, where Node.js knows it. */
function availableMemory() {
  return process.availableMemory?.() ?? freemem();
}

/** The tests' browser and database are unpacked there. */
function mayRunPrograms() {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  const options = mounts.map((line) => line.split(' ')).filter(([, path]) => path === memory);
  return options.every(([, , , given = '']) => !given.split(',').includes('noexec'));
}
