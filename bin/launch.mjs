// The process around a command: its words, streams, signals and end.
import { writeSync } from 'node:fs';
import { run } from '../dist/commands/run.js';
import { createEarlyOutput } from './early-output.mjs';

/** What processes end with that a signal ends: 128 and the signal's number. */
const signalCodes = { SIGINT: 130, SIGTERM: 143 };
const signalNames = Object.keys(signalCodes);

/** Milliseconds after which a reader or a request that has not moved counts as stalled. @bound */
const stallTime = 100;

/** Milliseconds of a timer of Node.js. @internal */
const longestTimer = 2 ** 31 - 1;

/** Runs the command that the process was called with, and ends the process. */
export async function launch() {
  const interruption = new AbortController();
  const { signal } = interruption;
  let failure;
  const fail = (error) => {
    // A reader that has gone (`msgsite … | head`) is no error of ours, but nothing to go on for either: the
    // command comes to its end, and its exit code still says how a payment ended.
    if (error.code !== 'EPIPE') failure ??= error;
    interruption.abort('output');
  };
  const early = createEarlyOutput(fail);
  process.on('uncaughtException', (error) => endWith(error, early));
  // The first signal asks the command to finish; a second one ends the process at once.
  for (const name of signalNames) {
    process.on(name, () => {
      if (signal.aborted) leave(signalCodes[name], name);
      interruption.abort(name);
    });
  }
  const running = run({
    argv: process.argv.slice(2),
    // Opened by the commands that read it.
    get stdin() {
      return process.stdin;
    },
    // Opened by the commands that do more with them than write a text.
    get stdout() {
      early.open();
      return process.stdout;
    },
    get stderr() {
      early.open();
      return process.stderr;
    },
    texts: early,
    env: process.env,
    cwd: process.cwd(),
    signal,
  });
  // Node.js ends a process that waits for nothing it knows of (a lock held elsewhere, say): not while a
  // command runs. Many a one needs no timer, as it ends before the first turn of the event loop does.
  const holding = setImmediate(() => setInterval(() => {}, longestTimer));
  const exitCode = await running;
  clearImmediate(holding);
  if (!signal.aborted && early.isShort) {
    // Nothing is left but to say it: from here on, signals end the process themselves.
    for (const name of signalNames) process.removeAllListeners(name);
    try {
      if (early.writeNow()) process.exit(exitCode);
    } catch (error) {
      fail(error);
    }
  }
  early.open();
  const isWhole = await drained(signal);
  if (failure) process.stderr.write(`Error: The output cannot be written (${failure.code}).\n`);
  const { reason } = signal;
  if (reason in signalCodes) await leave(isWhole ? exitCode : signalCodes[reason], reason);
  process.exit(failure ? exitCode || 1 : exitCode);
}

/**
 * The last resort. Node.js would print what nobody caught with all its properties, which may hold a cashier's
 * secret, and as it is, escape sequences included: message and place are enough.
 */
function endWith(error, early) {
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const plain = told.replace(
    /[^\P{C}\n]/gu,
    (unsafe) => `\\u{${unsafe.codePointAt(0).toString(16)}}`,
  );
  try {
    early.writeNow();
    writeSync(2, `Error: This should not have happened, and ends the process.\n${plain}\n`);
  } finally {
    process.exit(1);
  }
}

/**
 * Whether the readers of the output take all of it: process.exit drops what a slow one has not taken yet,
 * and an empty write comes back after all of it. A signal ends the waiting for one that stands still.
 */
function drained(signal) {
  const written = [process.stdout, process.stderr].map(
    (stream) => new Promise((done) => stream.write('', done)),
  );
  const cut = new Promise((resolve) => {
    const give = () => signal.reason in signalCodes && setTimeout(resolve, stallTime, false);
    if (signal.aborted) give();
    else signal.addEventListener('abort', give);
  });
  return Promise.race([Promise.all(written).then(() => true), cut]);
}

/** Ends the process, with the signal itself if a pending request (a pipe, a disk, a name server) never ends. */
async function leave(code, name) {
  if (await hasStalled()) {
    process.removeAllListeners(name);
    process.kill(process.pid, name);
  } else {
    process.exit(code);
  }
}

/** Returns whether a request that process.exit would wait for is stuck. */
async function hasStalled() {
  const before = blockingRequests();
  if (before.length === 0) return false;
  await new Promise((resolve) => setTimeout(resolve, stallTime));
  return blockingRequests().some((request) => before.includes(request));
}

/** Requests that process.exit waits for to their end: it joins the threads that work on them. */
function blockingRequests() {
  // There is no documented way to tell one request from the next.
  const requests = process._getActiveRequests?.() ?? [];
  return requests.filter((request) => /^(FSReq|GetAddrInfo)/.test(request.constructor.name));
}
