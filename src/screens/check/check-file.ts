import { isAscii, isUtf8 } from 'node:buffer';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { untilInterrupted } from '../../base/every.js';
import { readRegularFile, UnreadableInput } from '../../base/files/input-file.js';
import { packageFolder } from '../../base/package-files.js';
import { withoutMark } from '../../json/strict-parse.js';
import { type FileReport, wholeFile } from '../findings/finding.js';
import { type Folding, openFolding } from '../findings/gather.js';
import type { LintOptions } from '../rules/lint.js';
import { checkScreen } from './check-text.js';

/** How files are checked. */
export interface CheckOptions {
  readonly cwd: string;
  readonly lint: LintOptions;
  /** Larger files are not read, in bytes. */
  readonly mostBytes: number;
  /** They were seen in their folders as regular files. */
  readonly areRegular?: boolean;
  /** Counts findings that a folding of all reports would not show, and describes the others only. */
  readonly fold?: boolean;
}

/** A file that has been read, and how it is checked; it can be sent to another process. */
export interface FileContent {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly lint: LintOptions;
}

/** One way to check a file. Undefined: it is left to another way, or was interrupted. */
export type Check = (content: FileContent) => Promise<FileReport | undefined>;

/**
 * Reads one file at once (most are small, and a detour costs more than the reading) and checks it. That it
 * cannot be read is a finding like any other.
 */
export async function checkFile(
  file: string,
  { cwd, mostBytes, areRegular, lint }: CheckOptions,
  check: Check,
): Promise<FileReport | undefined> {
  let bytes: Buffer;
  const started = lint.timed ? performance.now() : 0;
  try {
    bytes = readRegularFile(resolve(cwd, file), mostBytes, areRegular);
  } catch (error) {
    if (!(error instanceof UnreadableInput)) throw error;
    const message = `The file cannot be read: ${error.reason}.`;
    return { ...reportOf(file, 'unreadable', message), readable: false };
  }
  const reading = lint.timed ? performance.now() - started : 0;
  const report = await check({ file, bytes, lint });
  if (report?.timings) report.timings.reading = reading;
  return report;
}

/**
 * Bytes from which a file is checked in a process of its own. So many take up to a tenth of a second; such a
 * process can be ended in the middle, while this one hears no signal as long as it works. @bound
 */
const largeFile = 512 * 1024;

/** Checks files here, one after the other; undefined where one is large, and has to be checked apart. */
export function checkUnlessLarge({ fold }: CheckOptions): Check {
  const folding = fold ? openFolding() : undefined;
  return async (content) =>
    content.bytes.length < largeFile ? checkContent(content, folding) : undefined;
}

/** Checks a file here, whatever its size. Never throws: a check that fails is a finding like any other. */
export async function checkContent(
  { file, bytes, lint }: FileContent,
  folding?: Folding,
): Promise<FileReport> {
  const encoding = encodingOf(bytes);
  if (encoding === undefined) {
    return reportOf(file, 'encoding', 'The file is not UTF-8. Save it in that encoding.');
  }
  try {
    const text = withoutMark(textOf(bytes, encoding));
    const checked = checkScreen(text, lint, { file, folding });
    if (checked.timings) checked.timings.bytes = bytes.length;
    return { file, ...checked, readable: true };
  } catch (error) {
    return unchecked(file, error instanceof Error ? error.message : String(error));
  }
}

/** The report of a file whose check failed, for whatever reason: the others are checked all the same. */
function unchecked(file: string, reason: string): FileReport {
  return reportOf(file, 'unchecked', `The file cannot be checked: ${reason.replace(/\.$/, '')}.`);
}

/** How bytes are read the soonest; undefined where they are not UTF-8. */
function encodingOf(bytes: Uint8Array): 'latin1' | 'utf8' | undefined {
  if (isAscii(bytes)) return 'latin1';
  return isUtf8(bytes) ? 'utf8' : undefined;
}

/** What another thread hands over is no Buffer any more. */
function textOf(bytes: Uint8Array, encoding: 'latin1' | 'utf8'): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(encoding);
}

/** The report of one error about the file as a whole. */
function reportOf(file: string, rule: string, message: string): FileReport {
  const findings = [wholeFile(rule, 'error', message)];
  return { file, findings, counts: { errors: 1, warnings: 0, infos: 0 }, readable: true };
}

/** The file that helping threads and processes run: this one if it is the bundle of `validate-screen`. */
export const helperFile = import.meta.url.endsWith('.cjs')
  ? fileURLToPath(import.meta.url)
  : `${packageFolder}dist/validate-screen.cjs`;

/** Much is made and soon let go of; room for it spares the engine from clearing up all the time. */
const execArgv = ['--max-semi-space-size=64'];

/** Checks a file so that an interruption is heard at any time; undefined when it was. */
export async function checkInterruptibly(
  content: FileContent,
  signal: AbortSignal,
  folding?: Folding,
): Promise<FileReport | undefined> {
  if (content.bytes.length < largeFile) return checkContent(content, folding);
  return checkApart(content, signal);
}

/**
 * Checks a file in a process of its own; undefined when the signal ended it. A thread would not do: one
 * whose memory is being cleared up ends seconds after it is asked to.
 */
export async function checkApart(
  content: FileContent,
  signal: AbortSignal,
): Promise<FileReport | undefined> {
  if (!existsSync(helperFile)) return checkContent(content);
  // Loaded here, because that takes longer than checking a small file.
  const { fork } = process.getBuiltinModule('node:child_process');
  const child = fork(helperFile, [helperFlag], {
    execArgv,
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // Ctrl+C is for this process alone: it ends the other one.
    detached: true,
  });
  try {
    return await untilInterrupted(signal, reportFrom(child, content));
  } finally {
    child.kill('SIGKILL');
  }
}

/** The report that the process sends; where it breaks down, one that says why. */
function reportFrom(child: ChildProcess, content: FileContent): Promise<FileReport> {
  return new Promise((resolve) => {
    const fail = (reason: string): void => resolve(unchecked(content.file, reason));
    child
      .once('message', (report: FileReport) => resolve(report))
      .once('error', ({ message }) => fail(message))
      .once('exit', (code) => {
        const end = (): void => fail(reasonOf(code));
        // What it has sent may still be on its way.
        if (child.connected) child.once('disconnect', end);
        else end();
      });
    // It fails where the process has ended: that says why.
    child.send(content, () => {});
  });
}

/** The engine ends itself (SIGABRT), or the system ends it (SIGKILL), where memory is used up. */
function reasonOf(exitCode: number | null): string {
  if (exitCode === null || exitCode === outOfMemory) return 'it needs more memory than there is';
  return `its process ended with exit code ${exitCode}`;
}

/** What Node.js ends with on Windows, or under a shell, where the engine ends itself. */
const outOfMemory = 134;

/** The first argument of a thread or process that checks files for another one. */
export const helperFlag = '--check-for-parent';
