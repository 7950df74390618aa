import type { Command as Commander } from 'commander';
import { AppError, exitCodes } from '../src/base/errors.js';
import { nearest } from '../src/base/nearest.js';
import type { Command, CommandInput } from './command.js';
import type { Streams } from './program.js';
import { hintFor, isGroup, pathsOf, type Registry, rootFlags, routeOf } from './route.js';
import { command as versionCommand } from './version.js';

/** A command to run, with its input. */
export interface Call {
  readonly command: Command;
  readonly input: CommandInput;
}

interface Surroundings extends Streams {
  /** Returns whether a file of this name exists, relative to the working directory. */
  readonly isFile: (name: string) => boolean;
}

/**
 * Parses the command line into a call. If it requests help, prints the help (as `{help}` with `--json`) and returns an
 * exit code. Loads only the called command.
 *
 * @throws AppError `usage` for an invalid command line, with the nearest valid word as a suggestion
 */
export async function parse(
  argv: readonly string[],
  registry: Registry,
  { stdout, stderr, isFile }: Surroundings,
): Promise<Call | number> {
  const paths = pathsOf(registry);
  const { path, rest, requested } = routeOf(argv, paths);
  const json = rest.includes('--json');
  if (requested === 'version') {
    return { command: versionCommand, input: { arguments: [], options: json ? { json } : {} } };
  }
  const [command, { exitCodeOf, buildProgram, inputOf }] = await Promise.all([
    registry.commands.find((each) => each.path === path)?.load(),
    import('./program.js'),
  ]);
  const takesArguments = (command?.arguments?.length ?? 0) > 0;
  const [word] = rest.filter((each) => !rootFlags.includes(each));
  if (!takesArguments && isGroup(path, paths) && word !== undefined && !word.startsWith('-')) {
    throw unknownCommand(path, word, paths);
  }
  if (json && !command && requested !== 'help') {
    throw new AppError('usage', `msgsite ${path} requires a command.`, { hint: hintFor(path) });
  }

  const help: string[] = [];
  const out = json ? { write: (text: string) => help.push(text) } : stdout;
  const { program, leaf } = buildProgram(registry, { path, command, stdout: out, stderr });
  let input: CommandInput | undefined;
  if (command) {
    leaf.action(() => {
      input = inputOf(leaf);
    });
  }
  const finish = (exitCode: number): number => {
    if (json) stdout.write(`${JSON.stringify({ help: help.join('') }, undefined, 2)}\n`);
    return exitCode;
  };
  // A group has no flags of its own, but accepts those of the program.
  const words = command ? rest : rest.filter((each) => !rootFlags.includes(each));
  try {
    const group = path === '' ? [] : path.split(' ');
    program.parse([...group, ...(requested === 'help' ? ['--help'] : words)], { from: 'user' });
  } catch (error) {
    if (!requestsHelp(leaf, words, command, isFile)) return finish(exitCodeOf(error, path));
  }
  if (command && requestsHelp(leaf, words, command, isFile)) {
    leaf.outputHelp();
    return finish(exitCodes.done);
  }
  if (command && input) return { command, input };
  throw new AppError('usage', 'No command was specified.', { hint: hintFor(path) });
}

/**
 * Returns whether an argument is the word `help`. If the command takes files and a file of that name exists, the word
 * is a file name. After `--`, it is an ordinary argument.
 */
function requestsHelp(
  { args }: Commander,
  words: readonly string[],
  command: Command | undefined,
  isFile: Surroundings['isFile'],
): boolean {
  const end = words.indexOf('--');
  const typed = end < 0 ? words : words.slice(0, end);
  if (!typed.includes('help') || !args.includes('help')) return false;
  return !(command?.arguments?.some(({ name }) => /file/.test(name)) && isFile('help'));
}

function unknownCommand(path: string, word: string, paths: ReadonlySet<string>): AppError {
  const prefix = path === '' ? '' : `${path} `;
  const names = [...paths]
    .filter((other) => other.startsWith(prefix) && !other.startsWith('_'))
    .map((other) => other.slice(prefix.length).split(' ')[0] ?? '');
  const elsewhere = [...paths].find((other) => other.endsWith(` ${word}`));
  const near = nearest(word, [...new Set(names), 'help']) ?? elsewhere;
  const suggestion = near === undefined ? '.' : ` (Did you mean ${near}?)`;
  return new AppError('usage', `Unknown command '${prefix}${word}'${suggestion}`, {
    hint: hintFor(path),
  });
}
