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

/** Characters that are gathered before they are written: a write for each file would cost more. */
const pieceSize = 64 * 1024;

const forPeople: ReadonlySet<Format> = new Set(['pretty', 'github', 'markdown']);

/** Columns of pretty output in a file. */
const fileWidth = 100;

/** Opens every target, so that the findings of a run go to all at the same time, and starts its output. */
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
      // Beside what is fixed, stdout holds nothing else.
      if (target.file === undefined && fix?.onStdout) sinks.push(onStderr(context, fold));
      else sinks.push(await openSink(target, context, fold));
    }
    await each((reporter) => reporter.start());
  } catch (error) {
    await discard();
    throw error;
  }
  return {
    file: (report: FileReport): Promise<void> => each((reporter) => reporter.file(report)),
    /** Writes what is left; the reports in files are then there. */
    async end(outcome: Outcome): Promise<void> {
      await each((reporter) => reporter.end(outcome));
      for (const sink of sinks) await sink.finish();
    },
    /** Ends in the middle: reports in files are as they were before. Does nothing after `end`. */
    discard,
  };
}

/** Of many files, not every finding is shown. */
function folds(all: boolean, files: number): boolean {
  return !all && files > 1;
}

/** Whether findings that are not shown are nobody's business but for their number. */
export function countsOnly(
  { all, baseline, fix, targets }: ValidateOptions,
  files: number,
): boolean {
  const isPretty = targets.every(({ format, file }) => format === 'pretty' && file === undefined);
  return folds(all, files) && isPretty && fix === undefined && baseline === 'keep';
}

function onStderr({ output, stderr }: CommandContext, fold: boolean): Sink {
  const colors = output.screenColors.stderr;
  const reporter = createPrettyReporter({ colors, width: output.width, fold });
  const { write, flush } = gather(async (text) => void stderr.write(text));
  return { reporter, write, finish: flush, discard: flush };
}

async function openSink(
  { format, file }: Target,
  context: CommandContext,
  fold: boolean,
): Promise<Sink> {
  const { output, cwd } = context;
  if (file === undefined) {
    const reporter = await createReporter[format]({
      colors: output.colors,
      width: output.width,
      fold,
    });
    const pieces = gather(async (text) => output.write(text));
    // The beginning of a document that programs read says nothing, and an error may follow on stdout.
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

/** Writes text in larger pieces; `flush` writes what is left. */
function gather(write: (text: string) => Promise<void>) {
  let waiting = '';
  const flush = async (): Promise<void> => {
    const text = waiting;
    waiting = '';
    if (text !== '') await write(text);
  };
  return {
    flush,
    async write(text: string): Promise<void> {
      waiting += text;
      if (waiting.length >= pieceSize) await flush();
    },
  };
}

/** A file that is written piece by piece, and is there when all of it is. */
async function openFile(path: string, context: CommandContext): Promise<Omit<Sink, 'reporter'>> {
  await makeFolders(dirname(path), { mode: 0o777 }).catch((cause) => {
    throw new AppError('unreadable_input', `The folder of ${path} cannot be made.`, {
      hint: 'Check that this user may write there.',
      cause,
    });
  });
  const content = new PassThrough();
  const written = writeOutputFile(path, content, { streams: context, signal: context.signal });
  // A failure is reported by whichever of the two comes to it first.
  written.catch(() => {});
  return {
    async write(text) {
      if (content.write(text)) return;
      // What failed ends the stream as well, which only says that it was aborted.
      await Promise.race([once(content, 'drain').catch(() => written), written]);
    },
    finish() {
      content.end();
      return written;
    },
    async discard() {
      content.destroy(new Error('Nothing more is coming.'));
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
