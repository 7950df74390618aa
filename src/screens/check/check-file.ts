import { isUtf8 } from 'node:buffer';
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

/** The options for checking files. */
export interface CheckOptions {
  readonly cwd: string;
  readonly lint: LintOptions;
  /** Maximum size of a file, in bytes. Larger files are not read. */
  readonly maxBytes: number;
  /** True if the files are known to be regular files. */
  readonly areRegular?: boolean;
  /** If true, findings that a report of many files does not show are counted but not described. */
  readonly fold?: boolean;
}

/** The content of a file, and the options of its check. It can be sent to another process. */
export interface FileContent {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly lint: LintOptions;
}

/** Checks a file. Resolves to undefined if interrupted, or if a separate process must check the file. */
export type Check = (content: FileContent) => Promise<FileReport | undefined>;

/** Reads a file synchronously and checks it. For an unreadable file, the report has an `unreadable` error. */
export async function checkFile(
  file: string,
  { cwd, maxBytes, areRegular, lint }: CheckOptions,
  check: Check,
): Promise<FileReport | undefined> {
  let bytes: Buffer;
  const started = lint.timed ? performance.now() : 0;
  try {
    bytes = readRegularFile(resolve(cwd, file), maxBytes, areRegular);
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
 * Size from which a file is checked in a separate process, in bytes. The check of a smaller file takes at most a tenth
 * of a second. A separate process can be killed at any time, whereas this one cannot handle signals during a check.
 * @bound
 */
const largeFile = 512 * 1024;

/** Returns a check that runs in this thread. It skips large files, which require a separate process. */
export function checkUnlessLarge({ fold }: CheckOptions): Check {
  const folding = fold ? openFolding() : undefined;
  return async (content) =>
    content.bytes.length < largeFile ? checkContent(content, folding) : undefined;
}

/** Checks a file of any size in this thread. If the check fails, the report has an `unchecked` error. */
export async function checkContent(
  { file, bytes, lint }: FileContent,
  folding?: Folding,
): Promise<FileReport> {
  if (!isUtf8(bytes)) {
    return reportOf(file, 'encoding', 'The file is not UTF-8. Save it as UTF-8.');
  }
  try {
    const text = withoutMark(textOf(bytes));
    const checked = checkScreen(text, lint, { file, folding });
    if (checked.timings) checked.timings.bytes = bytes.length;
    return { file, ...checked, readable: true };
  } catch (error) {
    return unchecked(file, error instanceof Error ? error.message : String(error));
  }
}

function unchecked(file: string, reason: string): FileReport {
  return reportOf(file, 'unchecked', `The file cannot be checked: ${reason.replace(/\.$/, '')}.`);
}

/** Decodes UTF-8 bytes, which are a plain array if another process sent them. */
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

/** Returns a report with one error about the whole file. */
function reportOf(file: string, rule: string, message: string): FileReport {
  const findings = [wholeFile(rule, 'error', message)];
  return { file, findings, counts: { errors: 1, warnings: 0, infos: 0 }, readable: true };
}

/** The program that helper threads and processes run: the bundle of `validate-screen`, which may be this file. */
export const helperFile = import.meta.url.endsWith('.cjs')
  ? fileURLToPath(import.meta.url)
  : `${packageFolder}dist/validate-screen.cjs`;

/** A check creates many short-lived objects, so a larger young generation avoids garbage collections. */
const execArgv = ['--max-semi-space-size=64'];

/** Checks a file. A signal can interrupt the check at any time. Resolves to undefined if interrupted. */
export async function checkInterruptibly(
  content: FileContent,
  signal: AbortSignal,
  folding?: Folding,
): Promise<FileReport | undefined> {
  if (content.bytes.length < largeFile) return checkContent(content, folding);
  return checkInProcess(content, signal);
}

/**
 * Checks a file in a separate process. Resolves to undefined if interrupted. A thread would be unsuitable, because it
 * can take seconds to terminate during a garbage collection.
 */
export async function checkInProcess(
  content: FileContent,
  signal: AbortSignal,
): Promise<FileReport | undefined> {
  if (!existsSync(helperFile)) return checkContent(content);
  // Loaded lazily, because loading takes longer than checking a small file.
  const { fork } = process.getBuiltinModule('node:child_process');
  const child = fork(helperFile, [helperFlag], {
    execArgv,
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // Ctrl+C interrupts only this process, which then kills the child.
    detached: true,
  });
  try {
    return await untilInterrupted(signal, reportFrom(child, content));
  } finally {
    child.kill('SIGKILL');
  }
}

/** Resolves to the report that the child sends, or to a report that describes why the child failed. */
function reportFrom(child: ChildProcess, content: FileContent): Promise<FileReport> {
  return new Promise((resolve) => {
    const fail = (reason: string): void => resolve(unchecked(content.file, reason));
    child
      .once('message', (report: FileReport) => resolve(report))
      .once('error', ({ message }) => fail(message))
      .once('exit', (code) => {
        const end = (): void => fail(reasonOf(code));
        // A message may still be in transit.
        if (child.connected) child.once('disconnect', end);
        else end();
      });
    // If sending fails, the child exits, and `exit` reports the reason.
    child.send(content, () => {});
  });
}

/**
 * Returns the reason why a process exited. If memory runs out, V8 aborts the process (SIGABRT) or the system kills it
 * (SIGKILL).
 */
function reasonOf(exitCode: number | null): string {
  if (exitCode === null || exitCode === outOfMemory)
    return 'it requires more memory than is available';
  return `its process exited with code ${exitCode}`;
}

/** Exit code of a process that V8 aborts, on Windows or under a shell. */
const outOfMemory = 134;

/** The first argument of a helper thread or process. */
export const helperFlag = '--check-for-parent';
