// The process around a command: its words, streams, signals and end.
import { writeSync } from 'node:fs';
import type { RunOptions } from '../commands/run.js';

/** The exit codes of processes that a signal ends: 128 and the signal's number. */
const signalCodes = { SIGINT: 130, SIGTERM: 143 } as const;
type SignalName = keyof typeof signalCodes;

const isSignal = (reason: unknown): reason is SignalName =>
  typeof reason === 'string' && reason in signalCodes;

/** Milliseconds after which a reader or a request that has not moved counts as stalled. @bound */
const stallTime = 100;

/** Milliseconds of a timer of Node.js. @internal */
const longestTimer = 2 ** 31 - 1;

/**
 * Runs the command that the process was called with, and ends the process with its exit code. `run` is the command
 * line (`commands/run.ts`).
 */
export async function launch(run: (options: RunOptions) => Promise<number>): Promise<void> {
  const interruption = new AbortController();
  const { signal } = interruption;
  let failure: NodeJS.ErrnoException | undefined;
  const fail = (error: NodeJS.ErrnoException): void => {
    // A reader that has gone (`msgsite … | head`) is not an error, but nothing to continue for either: the command
    // comes to its end, and its exit code still says how a payment ended.
    if (error.code !== 'EPIPE') failure ??= error;
    interruption.abort('output');
  };
  for (const stream of [process.stdout, process.stderr]) stream.on('error', fail);
  process.on('uncaughtException', endWith);
  // The first signal asks the command to finish; a second one ends the process at once.
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (signal.aborted) void leave(signalCodes[name], name);
      interruption.abort(name);
    });
  }
  // Node.js exits if it waits for nothing that it knows of (a lock that another process holds, for example).
  const holding = setInterval(() => {}, longestTimer);
  const { stdout, stderr, env } = process;
  const exitCode = await run({
    argv: process.argv.slice(2),
    // Opened only by commands that read it: a pipe that the caller reads as well becomes non-blocking for both.
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr,
    env,
    cwd: process.cwd(),
    signal,
  });
  clearInterval(holding);
  const isWhole = await drained(signal);
  if (failure) stderr.write(`Error: The output cannot be written (${failure.code}).\n`);
  const { reason } = signal;
  if (isSignal(reason)) await leave(isWhole ? exitCode : signalCodes[reason], reason);
  process.exit(failure ? exitCode || 1 : exitCode);
}

/**
 * Ends the process after an error that nothing caught. Node.js would print all properties of the error, which may hold
 * a cashier's secret, and escape sequences as they are: message and place are enough.
 */
function endWith(error: unknown): never {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const plain = text.replace(
    /[^\P{C}\n]/gu,
    (unsafe) => `\\u{${unsafe.codePointAt(0)?.toString(16)}}`,
  );
  try {
    writeSync(2, `Error: Unexpected error; exiting.\n${plain}\n`);
  } finally {
    process.exit(1);
  }
}

/**
 * Resolves to true once the readers of the output have taken all of it, which process.exit would drop: an empty write
 * is called back after everything before it. A signal ends the wait for a reader that has stalled.
 */
function drained(signal: AbortSignal): Promise<boolean> {
  const written = [process.stdout, process.stderr].map(
    (stream) => new Promise<void>((resolve) => stream.write('', () => resolve())),
  );
  const cut = new Promise<boolean>((resolve) => {
    const giveUp = () => {
      if (isSignal(signal.reason)) setTimeout(resolve, stallTime, false);
    };
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp);
  });
  return Promise.race([Promise.all(written).then(() => true), cut]);
}

/** Ends the process, with the signal itself if a pending request (a pipe, a disk, a name server) never ends. */
async function leave(code: number, name: SignalName): Promise<void> {
  if (await hasStalled()) {
    process.removeAllListeners(name);
    process.kill(process.pid, name);
  } else {
    process.exit(code);
  }
}

/** Returns whether a request that process.exit would wait for is stuck. */
async function hasStalled(): Promise<boolean> {
  const before = blockingRequests();
  if (before.length === 0) return false;
  await new Promise((resolve) => setTimeout(resolve, stallTime));
  return blockingRequests().some((request) => before.includes(request));
}

/** Requests that process.exit waits for to their end: it joins the threads that work on them. */
function blockingRequests(): readonly object[] {
  // There is no documented way to tell one request from the next.
  const { _getActiveRequests } = process as { _getActiveRequests?: () => readonly object[] };
  const requests = _getActiveRequests?.() ?? [];
  return requests.filter((request) => /^(FSReq|GetAddrInfo)/.test(request.constructor.name));
}
