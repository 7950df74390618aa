import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { makeTempFolder } from '../helpers/temp-folder.js';
import type { Machine } from './machine.js';

export interface Ran {
  /** Both streams, as a terminal shows them. */
  readonly output: string;
  readonly status: number;
  /** Commands that failed, except the last one. */
  readonly failed: readonly string[];
}

/** A bash that runs one block at a time, so that each block has the variables of the previous ones. */
export interface Shell {
  run(code: string): Promise<Ran>;
}

export async function openShell({ folder, env }: Machine): Promise<Shell> {
  const scripts = await makeTempFolder();
  const child = spawn('bash', ['--noprofile', '--norc'], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => stop(child, 'SIGKILL'));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  child.stdin.write(`exec 2>&1\ntrap 'echo "@failed $BASH_COMMAND"' ERR\n`);
  let count = 0;
  return {
    async run(code) {
      const file = join(scripts, `${++count}.sh`);
      const end = new RegExp(`@end${count} (\\d+)\n$`);
      await writeFile(file, `${code}\n`);
      output = '';
      child.stdin.write(`source '${file}' < /dev/null; echo "@end${count} $?"\n`);
      await until(child, () => end.test(output));
      if (!end.test(output)) throw new Error(`The shell ended: ${code}\n${output}`);
      const status = Number(end.exec(output)?.[1]);
      const lines = output.replace(end, '').split('\n');
      const failed = lines.filter((line) => line.startsWith('@failed '));
      return {
        output: lines.filter((line) => !line.startsWith('@failed ')).join('\n'),
        status,
        failed: failed.map((line) => line.slice('@failed '.length)),
      };
    },
  };
}

/** A terminal in which a program keeps running. */
export interface OpenTerminal {
  /** Waits until this is printed; rejects with the output if the program ends first. */
  waitFor(pattern: RegExp): Promise<void>;
  /** Presses Ctrl+C; resolves when everything in the terminal has ended. */
  interrupt(): Promise<void>;
}

export async function openTerminal({ folder, env }: Machine, code: string): Promise<OpenTerminal> {
  const file = join(await makeTempFolder(), 'block.sh');
  await writeFile(file, `exec 2>&1\n${code}\n`);
  const child = spawn('bash', ['--noprofile', '--norc', file], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => stop(child, 'SIGKILL'));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  return {
    async waitFor(pattern) {
      await until(child, () => pattern.test(output));
      if (!pattern.test(output)) throw new Error(`It ended: ${code}\n${output}`);
    },
    interrupt: () => stop(child, 'SIGINT'),
  };
}

/** Resolves once the output meets the condition, or has ended. */
function until(child: ChildProcess, isMet: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isMet() && !hasEnded(child)) return;
      child.stdout?.off('data', look);
      child.off('close', look);
      resolve();
    };
    child.stdout?.on('data', look);
    child.on('close', look);
    look();
  });
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Sends a signal to everything in the terminal, as Ctrl+C or a closed window does. */
async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child) || child.pid === undefined) return;
  const closed = once(child, 'close');
  process.kill(-child.pid, signal);
  await closed;
}
