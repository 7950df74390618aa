import { AppError, exitCodes } from '../src/errors.js';
import { escapeForeign, escapeForeignLines } from '../src/foreign-text.js';
import type { Output } from '../src/terminal/output.js';

interface FailureOptions {
  readonly output: Output;
  /** Adds the stack and the causes, for bug reports. */
  readonly verbose: boolean;
}

/**
 * Says what went wrong: on stderr for people, and with `--json` as `{error, code, details}` on stdout
 * too, so that a script reads one document in every case. What others wrote (a provider's answer, a
 * name in a file) cannot steer the terminal. Gives the exit code.
 */
export function describeFailure(error: unknown, { output, verbose }: FailureOptions): number {
  const known = error instanceof AppError ? error : undefined;
  const message = known?.message ?? `Unexpected error: ${oneLine(error)}`;
  const { red, dim } = output.messageColors;
  output.note(`${red('Error:')} ${escapeForeign(message)}`);
  for (const line of detailLines(known)) output.note(`  ${escapeForeign(line)}`);
  if (known?.hint) output.note(dim(escapeForeignLines(known.hint)));
  if (verbose) output.note(dim(escapeForeignLines(stackOf(error))));
  else if (!known) output.note(dim('Run it again with --verbose to see where it happened.'));
  if (output.json) {
    const { code = 'internal_error', details } = known ?? {};
    output.result({ error: message, code, ...(details ? { details } : {}) }, () => '');
  }
  return known?.exitCode ?? exitCodes.failure;
}

function detailLines(error: AppError | undefined): string[] {
  if (!Array.isArray(error?.details)) return [];
  return error.details.map(({ path, message }) => (path ? `${path}: ${message}` : message));
}

function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1)[0] ?? '';
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\nCaused by: ${stackOf(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
