#!/usr/bin/env node
import { writeSync } from 'node:fs';
import { run } from '../dist/commands/run.js';

// The last resort. Node.js would print what nobody caught with all its properties, which may hold a
// cashier's secret, and as it is, escape sequences included: message and place are enough.
process.on('uncaughtException', (error) => {
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const plain = told.replace(
    /[^\P{C}\n]/gu,
    (unsafe) => `\\u{${unsafe.codePointAt(0).toString(16)}}`,
  );
  try {
    writeSync(2, `Error: This should not have happened, and ends the process.\n${plain}\n`);
  } finally {
    process.exit(1);
  }
});

// The first signal asks the command to finish; a second one ends the process at once.
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    if (interruption.signal.aborted) process.exit(130);
    interruption.abort(signal);
  });
}
// A reader that has gone (`msgsite … | head`) is no error of ours, but nothing to go on for either: the
// command comes to its end, and its exit code still says how a payment ended.
let failure;
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (error.code !== 'EPIPE') failure ??= error;
    interruption.abort('output');
  });
}

// Node.js ends a process that waits for nothing it knows of (a lock held elsewhere, say): not while a
// command runs.
const longestTimer = 2 ** 31 - 1;
setInterval(() => {}, longestTimer);

const { stdout, stderr, env } = process;
const argv = process.argv.slice(2);
const exitCode = await run({
  argv,
  // Opened by the commands that read it.
  get stdin() {
    return process.stdin;
  },
  stdout,
  stderr,
  env,
  cwd: process.cwd(),
  signal: interruption.signal,
});
// process.exit drops what a slow reader has not taken yet; an empty write comes back after all of it.
for (const stream of [stdout, stderr]) {
  await new Promise((resolve) => stream.write('', resolve));
}
if (failure) stderr.write(`Error: The output cannot be written (${failure.code}).\n`);
process.exit(failure ? exitCode || 1 : exitCode);
