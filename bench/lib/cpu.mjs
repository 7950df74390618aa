// Reads the processor time of other processes on Linux.
import { readdir, readFile } from 'node:fs/promises';

/** Ticks per second in /proc/<pid>/stat. Linux always uses 100. */
const ticks = 100;

/** Returns the processor time of a process and its descendants in seconds, including ended ones. */
export async function cpuSeconds(pid) {
  const all = (await Promise.all((await processIds()).map(readStat))).filter(Boolean);
  const family = new Set([pid]);
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const { pid: child, parent } of all) if (family.has(parent)) family.add(child);
  }
  const members = all.filter((each) => family.has(each.pid));
  return members.reduce((sum, { own, ended }) => sum + own + ended, 0) / ticks;
}

async function processIds() {
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
}

async function readStat(name) {
  const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
  // The second field, the name in parentheses, may contain any characters.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (fields.length < 15) return undefined;
  const [parent, user, system, endedUser, endedSystem] = [1, 11, 12, 13, 14].map((index) =>
    Number(fields[index]),
  );
  return { pid: Number(name), parent, own: user + system, ended: endedUser + endedSystem };
}
