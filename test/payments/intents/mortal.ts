import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../src/base/clock.js';
import type { FileLayer, OpenFile } from '../../../src/base/files/file-layer.js';
import { promptFiles } from '../../faults/prompt-files.js';

const forEver = () => new Promise<never>(() => {});

/**
 * A simulated process. When it dies, its unfinished work is never completed. Data on disk remains.
 */
export interface Mortal {
  readonly isDead: boolean;
  /** Resolves when the process dies. */
  readonly death: Promise<void>;
  /** Number of steps so far. A step is a file operation or work passed to `step`. */
  readonly steps: number;
  /** Number of calls of `sync` and `datasync`. */
  readonly syncs: number;
  readonly files: FileLayer;
  /** Runs work as a step. */
  step<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Returns the process's view of a clock. */
  clock(clock: Clock): Clock;
  /** Wraps an object whose methods never resolve after the process has died. */
  wrap<T extends object>(target: T): T;
  /** Makes the process die before or after its n-th step from now. */
  dieAt(step: number, when: 'before' | 'after'): void;
  /** Makes the process die now. Resolves when no file operation is in progress. */
  die(): Promise<void>;
  /** If set, file operations fail with this error code. */
  fault: string | undefined;
}

export function createMortal(): Mortal {
  let isDead = false;
  let steps = 0;
  let syncs = 0;
  let fault: string | undefined;
  let diesAt = Number.POSITIVE_INFINITY;
  let diesWhen: 'before' | 'after' = 'before';
  let resolveDeath = () => {};
  const death = new Promise<void>((resolve) => {
    resolveDeath = resolve;
  });
  const open = new Set<OpenFile>();
  const underWay = new Set<Promise<unknown>>();

  function end(): void {
    isDead = true;
    resolveDeath();
  }

  async function step<Result>(work: () => Promise<Result>, isWrite: boolean): Promise<Result> {
    if (isDead) return forEver();
    steps += 1;
    const isLast = steps >= diesAt;
    if (isLast) end();
    if (isLast && diesWhen === 'before') return forEver();
    if (isWrite && fault) throw Object.assign(new Error(fault), { code: fault });
    const working = work().finally(() => underWay.delete(working));
    underWay.add(working);
    try {
      const result = await working;
      return isDead ? await forEver() : result;
    } catch (error) {
      if (isDead) return forEver();
      throw error;
    }
  }

  function fileOf(file: OpenFile): OpenFile {
    open.add(file);
    const counted = (work: () => Promise<void>) =>
      step(() => {
        syncs += 1;
        return work();
      }, true);
    return {
      read: ((...args: Parameters<OpenFile['read']>) =>
        step(() => file.read(...args), false)) as OpenFile['read'],
      write: ((...args: Parameters<OpenFile['write']>) =>
        step(() => file.write(...args), true)) as OpenFile['write'],
      truncate: (length) => step(() => file.truncate(length), true),
      sync: () => counted(() => file.sync()),
      datasync: () => counted(() => file.datasync()),
      stat: ((...args: Parameters<OpenFile['stat']>) =>
        step(() => file.stat(...args), false)) as OpenFile['stat'],
      close: () =>
        step(() => {
          open.delete(file);
          return file.close();
        }, false),
    };
  }

  const files: FileLayer = {
    open: (path, flags, mode) =>
      step(async () => fileOf(await promptFiles.open(path, flags, mode)), /[wax+]/.test(flags)),
    rename: (from, to) => step(() => promptFiles.rename(from, to), true),
    link: (from, to) => step(() => promptFiles.link(from, to), true),
    unlink: (path) => step(() => promptFiles.unlink(path), false),
    mkdir: (path, options) => step(() => promptFiles.mkdir(path, options), true),
    readdir: (path) => step(() => promptFiles.readdir(path), false),
    rm: (path, options) => step(() => promptFiles.rm(path, options), false),
    stat: (path) => step(() => promptFiles.stat(path), false),
    utimes: (path, accessed, modified) =>
      step(() => promptFiles.utimes(path, accessed, modified), true),
  };

  const whileAlive = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (isDead) return forEver();
    try {
      const result = await work();
      return isDead ? await forEver() : result;
    } catch (error) {
      if (isDead) return forEver();
      throw error;
    }
  };

  return {
    get isDead() {
      return isDead;
    },
    death,
    get steps() {
      return steps;
    },
    get syncs() {
      return syncs;
    },
    get fault() {
      return fault;
    },
    set fault(code) {
      fault = code;
    },
    files,
    step: (work) => step(work, true),
    clock: (clock) => ({
      now: clock.now,
      monotonic: clock.monotonic,
      sleep: (milliseconds, signal) => whileAlive(() => clock.sleep(milliseconds, signal)),
    }),
    wrap: <T extends object>(target: T): T =>
      new Proxy(target, {
        get(whole, name) {
          const value = Reflect.get(whole, name);
          if (typeof value !== 'function') return value;
          return (...args: unknown[]) => whileAlive(() => value.apply(whole, args));
        },
      }),
    dieAt(step, when) {
      diesAt = steps + step;
      diesWhen = when;
    },
    async die() {
      end();
      while (underWay.size > 0) await Promise.allSettled(underWay);
      for (const file of open) await file.close().catch(() => {});
      open.clear();
    },
  };
}

/** Ages the files by a minute, so that the next process does not treat unfinished files as being written. */
const minuteBefore = () => new Date(Date.now() - 60_000);

/**
 * Makes all processes that own data in a folder, or only those with a label, look dead. Another process then seems to
 * have their process ID.
 */
export async function killOwners(folder: string, label?: string): Promise<void> {
  const paths = await readdir(folder, { recursive: true });
  for (const path of paths) {
    await utimes(join(folder, path), minuteBefore(), minuteBefore());
    if (!/(^|\/)owners\/[^/]*\.json|(^|\/)watcher\.json/.test(path)) continue;
    const file = join(folder, path);
    const text = await readFile(file, 'utf8');
    // A truncated file has no owner.
    if (!text.endsWith('\n') && !text.endsWith('}')) continue;
    const owner = JSON.parse(text);
    if (label !== undefined && owner.label !== label) continue;
    const dead = { ...owner, process: { ...owner.process, started: '1' } };
    await writeFile(file, JSON.stringify(dead));
  }
}
