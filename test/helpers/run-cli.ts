import { PassThrough, Writable } from 'node:stream';
import { run } from '../../commands/run.js';
import type { Clock } from '../../src/clock.js';

export interface CliCall {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** All of stdin; it is no terminal. */
  readonly stdin?: string;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

export interface CliResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The whole command line in this process, without a terminal; what it prints is gathered. */
export async function runCli(argv: readonly string[], call: CliCall = {}): Promise<CliResult> {
  const stdout = gather();
  const stderr = gather();
  const stdin = new PassThrough();
  stdin.end(call.stdin ?? '');
  const exitCode = await run({
    argv,
    stdin,
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: call.env ?? {},
    cwd: call.cwd ?? process.cwd(),
    signal: call.signal ?? new AbortController().signal,
    ...(call.clock ? { clock: call.clock } : {}),
  });
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
}

function gather(): { stream: Writable; text(): string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}
