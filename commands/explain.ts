import { Command as Commander, CommanderError, Option } from 'commander';
import { AppError, exitCodes } from '../src/base/errors.js';
import { nearest } from '../src/base/nearest.js';
import { readPackageVersion } from '../src/base/package-files.js';
import { type Command, commonOptions, helpOption, versionOption } from './command.js';
import { paths } from './paths.js';
import { commands, groups } from './registry.js';
import { leadsOn, rootFlags } from './route.js';

/** Where help is printed. */
export interface Streams {
  readonly stdout: HelpStream;
  readonly stderr: HelpStream;
}

interface HelpStream {
  readonly columns?: number;
  write(text: string): unknown;
}

interface LoadedCommand {
  readonly path: string;
  readonly command: Command;
}

/** Words that call no command. */
interface Question {
  /** The command or group that they lead to; '' is the program. */
  readonly path: string;
  /** Those after it. */
  readonly words: readonly string[];
  readonly asksHelp: boolean;
  readonly loaded: LoadedCommand | undefined;
}

/**
 * Answers words that call no command: prints the help that they ask for (with `--json` as `{help}`), and gives
 * the exit code. Mistakes are a `usage` error that suggests the nearest right words.
 */
export async function explain(question: Question, streams: Streams): Promise<number> {
  const { path, words, asksHelp, loaded } = question;
  const unknown = unknownName(question);
  if (unknown !== undefined) throw noSuchCommand(path, unknown);
  const json = words.includes('--json');
  if (json && !asksHelp && !loaded) {
    throw new AppError('usage', `msgsite ${path} needs a command.`, { hint: hintFor(path) });
  }
  const help: string[] = [];
  const stdout = json ? { write: (text: string) => help.push(text) } : streams.stdout;
  const program = buildProgram({ ...streams, stdout }, loaded).version(
    await readPackageVersion(),
    versionOption.flags,
    versionOption.description,
  );
  try {
    const own = path === '' ? [] : path.split(' ');
    // A group has no flags: those of the program count there.
    const given = loaded ? words : withoutRootFlags(words);
    program.parse([...own, ...(asksHelp ? ['--help'] : given)], { from: 'user' });
  } catch (error) {
    const exitCode = answerOf(error, path);
    if (json) streams.stdout.write(`${JSON.stringify({ help: help.join('') }, undefined, 2)}\n`);
    return exitCode;
  }
  throw new AppError('usage', 'These words call no command.', { hint: hintFor(path) });
}

function hintFor(path: string): string {
  return `See msgsite ${path === '' ? '' : `${path} `}--help.`;
}

/** The first word where the name of a command is missing that is none; undefined where a command is named. */
function unknownName({ path, words, loaded }: Question): string | undefined {
  const takesArguments = (loaded?.command.arguments?.length ?? 0) > 0;
  const [word] = withoutRootFlags(words);
  if (takesArguments || !leadsOn(path, paths)) return undefined;
  return word?.startsWith('-') ? undefined : word;
}

function withoutRootFlags(words: readonly string[]): readonly string[] {
  return words.filter((word) => !rootFlags.includes(word));
}

function noSuchCommand(path: string, word: string): AppError {
  const prefix = path === '' ? '' : `${path} `;
  const names = [...paths]
    .filter((other) => other.startsWith(prefix))
    .map((other) => other.slice(prefix.length).split(' ')[0] ?? '');
  const elsewhere = [...paths].find((other) => other.endsWith(` ${word}`));
  const near = nearest(word, [...new Set(names), 'help']) ?? elsewhere;
  const suggestion = near === undefined ? '.' : ` (Did you mean ${near}?)`;
  return new AppError('usage', `Unknown command '${prefix}${word}'${suggestion}`, {
    hint: hintFor(path),
  });
}

/** All commands as commander knows them, the one that is loaded with its flags and arguments. */
export function buildProgram({ stdout, stderr }: Streams, loaded?: LoadedCommand): Commander {
  const program = new Commander('msgsite')
    // The flags after `pay invoice show` are those of `show`, not of `pay invoice`.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: () => {},
      getOutHelpWidth: () => stdout.columns || 80,
      getErrHelpWidth: () => stderr.columns || 80,
    });
  const added = new Map([['', program]]);
  const add = (path: string, summary = ''): Commander => {
    const words = path.split(' ');
    const name = words.pop() ?? path;
    const group = words.join(' ');
    const parent = added.get(group) ?? add(group, groups[group]);
    const commander = parent.command(name).description(summary);
    added.set(path, commander);
    return commander;
  };
  for (const { path, summary } of commands) {
    const commander = add(path, summary);
    if (path === loaded?.path) addDefinition(commander, loaded.command);
  }
  // Here at last: commands inherit what is set before they are added.
  for (const { flags, description } of commonOptions) program.option(flags, description);
  return program
    .description('Messaging, site content and a payment gateway for a small business.')
    .helpOption(helpOption.flags, 'show help; also for each command')
    .helpCommand('help [command...]', 'show help for a command');
}

function addDefinition(commander: Commander, definition: Command): void {
  for (const { name, description } of definition.arguments ?? []) {
    commander.argument(name, description);
  }
  for (const { flags, description, choices } of [...(definition.options ?? []), ...commonOptions]) {
    const option = new Option(flags, description);
    commander.addOption(choices ? option.choices(choices) : option);
  }
  if (definition.description) commander.description(definition.description);
  commander.addHelpText('after', exampleText(definition)).action(() => {});
}

function exampleText({ examples }: Command): string {
  const lines = examples.map(({ command, description }) => `  # ${description}\n  $ ${command}`);
  return `\nExamples:\n${lines.join('\n\n')}`;
}

function answerOf(error: unknown, path: string): number {
  if (!(error instanceof CommanderError)) throw error;
  const asked = ['commander.help', 'commander.helpDisplayed', 'commander.version'];
  // A group called without a command shows its help, which is an answer but not what was meant.
  if (asked.includes(error.code)) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  // Commander's suggestion has a line of its own; messages are one, and a break in it would be escaped.
  const message = error.message
    .replace(/^error: /, '')
    .replace('\n(Did you mean', ' (Did you mean');
  throw new AppError('usage', sentence(message), { hint: hintFor(path), cause: error });
}

function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!)]$/.test(capital) ? capital : `${capital}.`;
}
