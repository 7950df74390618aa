import { AppError, exitCodes } from '../src/base/errors.js';
import { escapeForeign } from '../src/base/foreign-text.js';
import type { Output } from '../src/terminal/output.js';
import type { CommandInput } from './command.js';
import { withFlags } from './next-command.js';

interface FailureOptions {
  readonly output: Output;
  /** Adds the stack and the causes, for bug reports. */
  readonly verbose: boolean;
  /** What the command was called with; undefined where that could not be read. */
  readonly input: CommandInput | undefined;
}

/**
 * Says what went wrong: on stderr for people, and with `--json` as `{error, code, details}` and the failure's own fields on stdout
 * too, so that a script reads one document in every case: none where the result is printed already.
 * Gives the exit code.
 */
export function describeFailure(
  error: unknown,
  { output, verbose, input }: FailureOptions,
): number {
  const known = error instanceof AppError ? error : undefined;
  const message = known?.message ?? `Unexpected error: ${oneLine(error)}`;
  const { red, dim } = output.messageColors;
  output.note(`${red('Error:')} ${readable(message)}`);
  for (const line of detailLines(known)) output.note(`  ${readable(line)}`);
  const hint = known?.hint ?? (known?.code === 'session_ended' ? signInHint : undefined);
  if (hint) output.note(dim(input ? withFlags(hint, input) : hint));
  if (verbose) output.note(dim(stackOf(error)));
  else if (!known) output.note(dim('Run it again with --verbose to see where it happened.'));
  if (output.json && !output.hasResult) {
    const { code = 'internal_error', fields, details } = known ?? {};
    output.result({ error: message, code, ...fields, ...(details ? { details } : {}) }, () => '');
  }
  return known?.exitCode ?? exitCodes.failure;
}

/** What to do after the provider has ended a session: its own message does not say so. */
const signInHint = 'Sign in again with msgsite pay login.';

/** Characters of an error message, which may repeat something long. */
const longestMessage = 2_000;

/** The most details of an error that are listed; a file may have one on every line. */
const mostDetails = 100;

/** A message in one line, cut where it is endless: `--json` has all of it. */
function readable(message: string): string {
  const line = escapeForeign(message);
  return line.length > longestMessage ? `${line.slice(0, longestMessage)}…` : line;
}

function detailLines(error: AppError | undefined): string[] {
  if (!Array.isArray(error?.details)) return [];
  const lines = error.details
    .slice(0, mostDetails)
    .map(({ path, message }) => (path ? `${path}: ${message}` : message));
  const more = error.details.length - lines.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1)[0] ?? '';
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\nCaused by: ${stackOf(error.cause)}`;
  // The lines of a stack are wanted, those of a message are not.
  const stack = error.stack ?? error.message;
  return `${stack.replace(error.message, () => escapeForeign(error.message))}${cause}`;
}
