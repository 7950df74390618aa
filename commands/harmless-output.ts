import { AppError } from '../src/errors.js';
import { foreignJson } from '../src/foreign-text.js';
import type { Output } from '../src/terminal/output.js';
import { breakCommands } from '../src/workflow-commands.js';
import type { Command } from './command.js';

/**
 * The run of a command about files that others wrote: whatever a file or its name says, no message or
 * result of the command holds a workflow command of a CI system.
 */
export function harmlessRun(run: Command['run']): Command['run'] {
  return (context, input) => {
    const output = { value: harmlessOutput(context.output) };
    // Everything else is as it was, also what is opened only when it is asked for.
    return run(Object.create(context, { output }), input);
  };
}

function harmlessOutput(output: Output): Output {
  return {
    ...output,
    result(value, human) {
      const text = breakCommands(output.json ? foreignJson(value, 2) : human());
      if (text !== '') output.write(`${text}\n`);
    },
    note: (text) => output.note(breakCommands(text)),
    warn: (text) => output.warn(breakCommands(text)),
  };
}

/** The same for how the command fails, be it that its words could not be read. */
export function harmlessFailure(argv: readonly string[], error: unknown): unknown {
  const command = argv.find((word) => !word.startsWith('-')) ?? '';
  return command.endsWith('-screen') && error instanceof AppError ? harmlessError(error) : error;
}

function harmlessError(error: AppError): AppError {
  const { code, message, hint, cause, details } = error;
  const told = Array.isArray(details)
    ? details.map((detail) => ({
        path: breakCommands(detail.path),
        message: breakCommands(detail.message),
      }))
    : details;
  return new AppError(code, breakCommands(message), {
    ...(hint === undefined ? {} : { hint: breakCommands(hint) }),
    ...(told === undefined ? {} : { details: told }),
    cause,
  });
}
