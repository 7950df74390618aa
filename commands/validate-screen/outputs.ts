import { once } from 'node:events';
import { dirname, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { AppError } from '../../src/base/errors.js';
import { makeFolders } from '../../src/base/files/file-layer.js';
import { writeOutputFile } from '../../src/base/files/output-file.js';
import { readPackageVersion } from '../../src/base/package-files.js';
import type { FileReport } from '../../src/screens/findings/finding.js';
import { createGithubReporter } from '../../src/screens/reporters/github.js';
import { createJsonReporter } from '../../src/screens/reporters/json.js';
import { createJunitReporter } from '../../src/screens/reporters/junit.js';
import { createMarkdownReporter } from '../../src/screens/reporters/markdown.js';
import { createPrettyReporter, type PrettyOptions } from '../../src/screens/reporters/pretty.js';
import type { Outcome, Reporter } from '../../src/screens/reporters/reporter.js';
import { createSarifReporter } from '../../src/screens/reporters/sarif.js';
import { createColors } from '../../src/terminal/colors.js';
import type { CommandContext } from '../command.js';
import type { Format, Target, ValidateOptions } from './options.js';

interface Sink {
  readonly reporter: Reporter;
  write(text: string): Promise<void>;
  finish(): Promise<void>;
  discard(): Promise<void>;
}

/** Size of the buffer before a write, in characters. */
const bufferSize = 64 * 1024;

const forPeople: ReadonlySet<Format> = new Set(['pretty', 'github', 'markdown']);

/** Width of pretty output in a file, in columns. */
const fileWidth = 100;

/** Opens all targets and starts their reports. */
export async function openOutputs(
  { targets, all, fix }: ValidateOptions,
  context: CommandContext,
  files: number,
) {
  const sinks: Sink[] = [];
  const fold = folds(all, files);
  const each = async (piece: (reporter: Reporter) => string): Promise<void> => {
    for (const { reporter, write } of sinks) await write(piece(reporter));
  };
  const discard = async (): Promise<void> => {
    for (const sink of sinks) await sink.discard();
  };
  try {
    for (const target of targets) {
      sinks.push(await openSink(target, context, { fold, onStderr: fix?.onStdout === true }));
    }
    await each((reporter) => reporter.start());
  } catch (error) {
    await discard();
    throw error;
  }
  return {
    file: (report: FileReport): Promise<void> => each((reporter) => reporter.file(report)),
    /** Writes the end of each report and completes report files. */
    async end(outcome: Outcome): Promise<void> {
      await each((reporter) => reporter.end(outcome));
      for (const sink of sinks) await sink.finish();
    },
    /** Stops early and leaves existing report files unchanged. Does nothing after `end`. */
    discard,
  };
}

/** Returns whether only some of the findings are shown individually. */
function folds(all: boolean, files: number): boolean {
  return !all && files > 1;
}

/** Returns whether findings that are not shown only need to be counted. */
export function countsOnly(
  { all, baseline, fix, targets }: ValidateOptions,
  files: number,
): boolean {
  const isPretty = targets.every(({ format, file }) => format === 'pretty' && file === undefined);
  return folds(all, files) && isPretty && fix === undefined && baseline === 'keep';
}

async function openSink(
  { format, file }: Target,
  context: CommandContext,
  { fold, onStderr }: { readonly fold: boolean; readonly onStderr: boolean },
): Promise<Sink> {
  const { output, stderr, cwd } = context;
  if (file === undefined) {
    const { width } = output;
    // Stdout may contain only the fixed text.
    const colors = onStderr ? output.screenColors.stderr : output.colors;
    const reporter = await createReporter[format]({ colors, width, fold });
    const pieces = gather(async (text) => void (onStderr ? stderr : output).write(text));
    // An incomplete document is not printed, because programs cannot parse it and an error may follow on stdout.
    const discard = forPeople.has(format) ? pieces.flush : async (): Promise<void> => {};
    return { reporter, write: pieces.write, finish: pieces.flush, discard };
  }
  const reporter = await createReporter[format]({ colors: createColors(false), width: fileWidth });
  const opened = await openFile(resolve(cwd, file), context);
  const pieces = gather(opened.write);
  const finish = async (): Promise<void> => {
    await pieces.flush();
    await opened.finish();
  };
  return { reporter, write: pieces.write, finish, discard: opened.discard };
}

/** Buffers text and writes it in larger chunks. `flush` writes the remaining text. */
function gather(write: (text: string) => Promise<void>) {
  let buffer = '';
  const flush = async (): Promise<void> => {
    const text = buffer;
    buffer = '';
    if (text !== '') await write(text);
  };
  return {
    flush,
    async write(text: string): Promise<void> {
      buffer += text;
      if (buffer.length >= bufferSize) await flush();
    },
  };
}

/** Opens a file that is written in chunks and becomes visible when it is complete. */
async function openFile(path: string, context: CommandContext): Promise<Omit<Sink, 'reporter'>> {
  await makeFolders(dirname(path), { mode: 0o777 }).catch((cause) => {
    throw new AppError('unreadable_input', `The folder of ${path} cannot be created.`, {
      hint: 'Check that this user may write to it.',
      cause,
    });
  });
  const content = new PassThrough();
  const written = writeOutputFile(path, content, { streams: context, signal: context.signal });
  // `write` or `finish` reports the failure.
  written.catch(() => {});
  return {
    async write(text) {
      if (content.write(text)) return;
      // A failed write also aborts the stream. `written` rejects with the reason.
      await Promise.race([once(content, 'drain').catch(() => written), written]);
    },
    finish() {
      content.end();
      return written;
    },
    async discard() {
      content.destroy(new Error('The report was discarded.'));
      await written.catch(() => {});
    },
  };
}

const createReporter: Readonly<
  Record<Format, (options: PrettyOptions) => Reporter | Promise<Reporter>>
> = {
  pretty: createPrettyReporter,
  json: createJsonReporter,
  junit: createJunitReporter,
  github: createGithubReporter,
  markdown: createMarkdownReporter,
  sarif: async () => createSarifReporter(await readPackageVersion()),
};
