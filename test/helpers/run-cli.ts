import { PassThrough, type Readable, Writable } from 'node:stream';
import { registry } from '../../commands/registry.js';
import { run } from '../../commands/run.js';
import type { Clock } from '../../src/base/clock.js';

export interface CliCall {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The content of stdin, or a stream of it. It is never a terminal. */
  readonly stdin?: string | Readable;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  /** The size of the terminal on stdout. By default, stdout is not a terminal. */
  readonly window?: { readonly columns: number; readonly rows: number };
  /** Called with the content of stderr whenever it grows. */
  onStderr?(text: string): void;
}

export interface CliResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line in this process, by default without a terminal, and collects its output. */
export async function runCli(argv: readonly string[], call: CliCall = {}): Promise<CliResult> {
  const stdout = gather();
  const stderr = gather((text) => call.onStderr?.(text));
  const options = {
    argv,
    stdin: streamOf(call.stdin ?? ''),
    stdout: call.window
      ? Object.assign(stdout.stream, { isTTY: true, ...call.window })
      : stdout.stream,
    stderr: stderr.stream,
    env: call.env ?? {},
    cwd: call.cwd ?? process.cwd(),
    signal: call.signal ?? new AbortController().signal,
    ...(call.clock ? { clock: call.clock } : {}),
  };
  const exitCode = await run(options, registry);
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
}

function streamOf(stdin: string | Readable): Readable {
  return typeof stdin === 'string' ? new PassThrough().end(stdin) : stdin;
}

function gather(onText: (text: string) => void = () => {}): { stream: Writable; text(): string } {
  const chunks: Buffer[] = [];
  const text = () => Buffer.concat(chunks).toString('utf8');
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      onText(text());
      done();
    },
  });
  return { stream, text };
}
