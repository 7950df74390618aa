import { AppError } from '../src/errors.js';
import { foreignJson } from '../src/foreign-text.js';
import type { Output } from '../src/terminal/output.js';
import { breakCommands } from '../src/workflow-commands.js';
import type { Command } from './command.js';

/**
 * The run of a command about files that others wrote: whatever a file or its name says, no message,
 * result or failure of the command holds a workflow command of a CI system.
 */
export function harmlessRun(run: Command['run']): Command['run'] {
  return async (context, input) => {
    const output = { value: harmlessOutput(context.output) };
    try {
      // Everything else is as it was, also what is opened only when it is asked for.
      return await run(Object.create(context, { output }), input);
    } catch (error) {
      throw error instanceof AppError ? harmlessError(error) : error;
    }
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
