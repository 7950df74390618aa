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

/** A Bash process that runs one block after another, so that each block has the variables of the previous ones. */
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
      if (!end.test(output)) throw new Error(`The shell exited: ${code}\n${output}`);
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
  /** Waits until the pattern is printed. Rejects with the output if the program exits first. */
  waitFor(pattern: RegExp): Promise<void>;
  /** Presses Ctrl+C. Resolves when all programs in the terminal have exited. */
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
      if (!pattern.test(output)) throw new Error(`The program exited: ${code}\n${output}`);
    },
    interrupt: () => stop(child, 'SIGINT'),
  };
}

/** Resolves when the condition is met or the program has exited. */
function until(child: ChildProcess, isMet: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!isMet() && !hasExited(child)) return;
      child.stdout?.off('data', check);
      child.off('close', check);
      resolve();
    };
    child.stdout?.on('data', check);
    child.on('close', check);
    check();
  });
}

function hasExited({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Sends a signal to all programs in the terminal, as Ctrl+C or closing the window does. */
async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasExited(child) || child.pid === undefined) return;
  const closed = once(child, 'close');
  process.kill(-child.pid, signal);
  await closed;
}
