import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** Returns whether a process is stopped (proc(5)) or has exited. */
export async function hasStopped({ pid, exitCode }: ChildProcess): Promise<boolean> {
  if (exitCode !== null) return true;
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
  return /^[TZ]/.test(text.slice(text.lastIndexOf(')') + 2));
}
