import { createHash } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { systemErrorCode } from '../../base/errors.js';

/** A process, told apart from any later one that gets the same number. */
export interface ProcessIdentity {
  /** Host, boot and process-number space (a container has its own) in which `pid` means something. */
  readonly place: string;
  readonly host: string;
  readonly pid: number;
  /** When the process started, in the kernel's ticks since boot; null where the system tells not. */
  readonly started: string | null;
}

/** Who we are. */
export async function currentProcess(): Promise<ProcessIdentity> {
  const host = hostname();
  return {
    place: await currentPlace(host),
    host,
    pid: process.pid,
    started: await startOf(process.pid),
  };
}

/** Whether a process still runs; `unknown` for one in another container, boot or machine. */
export async function livenessOf(identity: ProcessIdentity): Promise<'alive' | 'dead' | 'unknown'> {
  if (identity.place !== (await currentPlace(hostname()))) return 'unknown';
  if (identity.started !== null) {
    return (await startOf(identity.pid)) === identity.started ? 'alive' : 'dead';
  }
  return processExists(identity.pid) ? 'unknown' : 'dead';
}

async function currentPlace(host: string): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  const space = await readlink('/proc/self/ns/pid').catch(() => '');
  return createHash('sha256').update(`${host}\n${boot}\n${space}`).digest('hex').slice(0, 16);
}

/** Field 22 of /proc/<pid>/stat (proc(5)); the command name before it may hold blanks and brackets. */
async function startOf(pid: number): Promise<string | null> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const isZombie = fields[0] === 'Z';
    return isZombie ? null : (fields[19] ?? null);
  } catch {
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
