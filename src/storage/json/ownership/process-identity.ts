import { createHash } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { systemErrorCode } from '../../../base/errors.js';

/** A process, told apart from any later one that gets the same number. */
export interface ProcessIdentity {
  readonly host: string;
  /** Names the machine, '' where the system does not; a digest, as the number itself is no one's business. */
  readonly machine?: string;
  /** Names the time since the machine was started; '' where the system does not tell. */
  readonly boot?: string;
  /** The space in which `pid` means something: a container has its own. */
  readonly space?: string;
  readonly pid: number;
  /** When the process started, in the kernel's ticks since boot; null where the system tells not. */
  readonly started: string | null;
}

/** Who we are. */
export async function currentProcess(): Promise<ProcessIdentity> {
  const started = await startOf(process.pid).catch(() => null);
  return { ...(await here()), pid: process.pid, started };
}

/**
 * Returns whether a process still runs; `unknown` for one in another container or on another machine. Nothing outlives
 * a restart of its machine.
 */
export async function livenessOf(identity: ProcessIdentity): Promise<'alive' | 'dead' | 'unknown'> {
  const { host, machine, boot, space } = await here();
  if (identity.host !== host || identity.machine !== machine) return 'unknown';
  // What cannot be read just now proves nothing.
  if (identity.boot !== boot) return machine === '' || boot === '' ? 'unknown' : 'dead';
  if (identity.space !== space) return 'unknown';
  if (identity.started !== null) {
    const started = await startOf(identity.pid).catch(() => undefined);
    if (started === undefined) return 'unknown';
    return started === identity.started ? 'alive' : 'dead';
  }
  return processExists(identity.pid) ? 'unknown' : 'dead';
}

async function here() {
  const read = (path: string) => readFile(path, 'utf8').catch(() => '');
  const [machine, boot, space] = await Promise.all([
    read('/etc/machine-id'),
    read('/proc/sys/kernel/random/boot_id'),
    readlink('/proc/self/ns/pid').catch(() => ''),
  ]);
  return { host: hostname(), machine: digestOf(machine.trim()), boot: boot.trim(), space };
}

function digestOf(text: string): string {
  return text && createHash('sha256').update(`msgsite ${text}`).digest('hex').slice(0, 16);
}

/** Field 22 of /proc/<pid>/stat (proc(5)); the command name before it may hold blanks and brackets. */
async function startOf(pid: number): Promise<string | null> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const isZombie = fields[0] === 'Z';
    return isZombie ? null : (fields[19] ?? null);
  } catch (error) {
    if (!['ENOENT', 'ESRCH'].includes(systemErrorCode(error) ?? '')) throw error;
    return null;
  }
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) !== 'ESRCH';
  }
}
