// Runs a command as a process: arguments, streams, signals and exit code.
import { writeSync } from 'node:fs';
import type { RunOptions } from '../commands/run.js';

/** Exit codes of processes that a signal terminated: 128 plus the number of the signal. */
const signalCodes = { SIGINT: 130, SIGTERM: 143 } as const;
type SignalName = keyof typeof signalCodes;

const isSignal = (reason: unknown): reason is SignalName =>
  typeof reason === 'string' && reason in signalCodes;

/** Time without progress after which a reader or a request is treated as stalled, in milliseconds. @bound */
const stallTime = 100;

/** Maximum delay of a timer in Node.js, in milliseconds. @internal */
const maxTimer = 2 ** 31 - 1;

/** Runs the command line of this process, and exits with the exit code of the command. */
export async function launch(run: (options: RunOptions) => Promise<number>): Promise<void> {
  const interruption = new AbortController();
  const { signal } = interruption;
  let failure: NodeJS.ErrnoException | undefined;
  const fail = (error: NodeJS.ErrnoException): void => {
    // A closed reader (`msgsite … | head`) is not an error, but there is no reason to continue. The command finishes,
    // and its exit code still reports the result of a payment.
    if (error.code !== 'EPIPE') failure ??= error;
    interruption.abort('output');
  };
  for (const stream of [process.stdout, process.stderr]) stream.on('error', fail);
  process.on('uncaughtException', endWith);
  // The first signal requests the command to finish. A second one ends the process immediately.
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (signal.aborted) void leave(signalCodes[name], name);
      interruption.abort(name);
    });
  }
  // Without a timer, Node.js exits while it waits for something it does not track, such as another process's lock.
  const holding = setInterval(() => {}, maxTimer);
  const { stdout, stderr, env } = process;
  const exitCode = await run({
    argv: process.argv.slice(2),
    // Opened only by commands that read it. Opening makes a pipe non-blocking, even for other processes that share it.
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
 * Ends the process after an uncaught error, and prints only its message and stack. Node.js would print all properties
 * of the error, which may contain a cashier's secret, and would not escape control characters.
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
 * Resolves to true when all output has been written, because process.exit would discard the rest. The callback of an
 * empty write runs after all earlier writes. After a signal, resolves to false if the reader has stalled.
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

/** Exits, or terminates the process with the signal if a pending request (pipe, disk, DNS) has stalled. */
async function leave(code: number, name: SignalName): Promise<void> {
  if (await hasStalled()) {
    process.removeAllListeners(name);
    process.kill(process.pid, name);
  } else {
    process.exit(code);
  }
}

/** Returns true if a request that process.exit would wait for has stalled. */
async function hasStalled(): Promise<boolean> {
  const before = blockingRequests();
  if (before.length === 0) return false;
  await new Promise((resolve) => setTimeout(resolve, stallTime));
  return blockingRequests().some((request) => before.includes(request));
}

/** Returns the requests that process.exit waits for, because it joins their threads. */
function blockingRequests(): readonly object[] {
  // Node.js has no documented way to identify a request.
  const { _getActiveRequests } = process as { _getActiveRequests?: () => readonly object[] };
  const requests = _getActiveRequests?.() ?? [];
  return requests.filter((request) => /^(FSReq|GetAddrInfo)/.test(request.constructor.name));
}
