import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openTerminal as openKeyboard } from '../helpers/terminal.js';
import { type Machine, type MachineOptions, makeMachine, root } from './machine.js';
import { type CodeBlock, consoleCalls, matcherOf, type Step, stepsOf, tidy } from './markdown.js';
import { type OpenTerminal, openShell, openTerminal, type Ran, type Shell } from './shell.js';

export interface Reader extends MachineOptions {
  /** Preparation: commands in separate terminals (`open`), or in the shell (`before`). */
  readonly open?: readonly string[];
  readonly before?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Follows a page as a reader would: runs every `sh` and `console` block in order, in one shell, in a fresh clone.
 * Fails if the output differs from the output on the page (in the console block, or in a `text` block after it), or if a
 * command does not exit with 0. A mark above a block (`<!-- test: … -->`) changes this:
 * - `not run: REASON`: the block is skipped
 * - `stays open`: the block runs in a separate terminal, until a mark `Ctrl+C N`
 * - `exit N`: the last command must exit with N
 * - `typed A | B`: the command runs at a terminal, and the answers to its prompts are A and B
 * - `file NAME`: the block is not a command, but the content of a file that the reader creates
 *
 * Returns the folder in which the page was followed. It is removed after the test.
 */
export async function follow(page: string, reader: Reader = {}): Promise<string> {
  const base = await makeMachine(reader);
  const ids: Ids = new Map();
  const machine: Machine = {
    ...base,
    env: { ...base.env, ...reader.env },
    here: (text) => [...ids].reduce((all, [from, to]) => all.replaceAll(from, to), base.here(text)),
  };
  const visit: Visit = { machine, ids, shell: await openShell(machine), terminals: [] };
  for (const command of reader.open ?? []) await keepOpen(visit, { command, output: '' });
  const { before } = reader;
  if (before) expectDone(await visit.shell.run(machine.here(before)), before);
  const steps = stepsOf(await readFile(join(root, page), 'utf8'));
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1];
    const shown = next?.kind === 'block' && next.language === 'text' ? next.text : '';
    try {
      await perform(visit, step, shown);
    } catch (error) {
      throw new Error(`${page}:${step.line}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return machine.folder;
}

/** Maps the IDs on the page to the IDs in the actual output. */
type Ids = Map<string, string>;

interface Visit {
  readonly machine: Machine;
  readonly ids: Ids;
  readonly shell: Shell;
  readonly terminals: OpenTerminal[];
}

async function perform(visit: Visit, step: Step, shown: string): Promise<void> {
  const { machine, terminals } = visit;
  const { mark = 'exit 0' } = step;
  const [, word = '', rest = ''] =
    /^(Ctrl\+C|file|stays|typed|exit|not run:) (.+)$/.exec(mark) ?? [];
  if (step.kind === 'mark') {
    const terminal = word === 'Ctrl+C' ? terminals[Number(rest) - 1] : undefined;
    if (!terminal) throw new Error(`The mark "${mark}" requires a block.`);
    return terminal.interrupt();
  }
  if (word === 'not run:') return;
  if (word === 'file') return writeFile(join(machine.folder, rest), machine.here(`${step.text}\n`));
  if (word === 'typed') return typeAnswers(visit, step, rest.split(' | '));
  const calls = callsOf(step, shown);
  if (word === 'exit') return runBlock(visit, calls, Number(rest));
  if (mark !== 'stays open') throw new Error(`Unknown mark "${mark}".`);
  for (const call of calls) await keepOpen(visit, call);
}

async function keepOpen({ machine, terminals }: Visit, { command, output }: Call): Promise<void> {
  const terminal = await openTerminal(machine, machine.here(command));
  terminals.push(terminal);
  await terminal.waitFor(output ? somewhere(machine.here(output)) : serving);
}

/** Compares the output with the page. Later commands and output use the actual IDs instead of those on the page. */
function compare({ machine, ids }: Visit, printed: string, shown: string): void {
  const text = tidy(machine.there(printed));
  const found = matcherOf(shown).exec(text);
  if (!found) throw new Error(`the page shows\n${shown}\nbut the output is:\n${text}`);
  for (const [index, id] of (shown.match(/\d{6,}/g) ?? []).entries()) {
    ids.set(id, found[index + 1] ?? id);
  }
}

/** Matches the output of servers that accept connections. */
const serving = /http:\/\/\S+\n/;

interface Call {
  readonly command: string;
  /** The output on the page; empty if the page shows only the command. */
  readonly output: string;
}

function callsOf({ language, text }: CodeBlock, shown: string): Call[] {
  if (language === 'console') return consoleCalls(text);
  return language === 'sh' ? [{ command: text, output: shown }] : [];
}

async function runBlock(visit: Visit, calls: readonly Call[], status: number): Promise<void> {
  const { machine, shell } = visit;
  for (const [index, { command, output }] of calls.entries()) {
    const ran = await shell.run(machine.here(command));
    const isLast = index === calls.length - 1;
    if (isLast && status !== 0) expect(ran.status, ran.output).toBe(status);
    else expectDone(ran, command);
    if (output) compare(visit, ran.output, output);
  }
}

function expectDone({ status, failed, output }: Ran, command: string): void {
  expect({ command, status, failed, output }).toMatchObject({ status: 0, failed: [] });
}

/** Runs a command at a terminal and types the answers. The final screen must match the page. */
async function typeAnswers(
  visit: Visit,
  step: CodeBlock,
  answers: readonly string[],
): Promise<void> {
  const { machine } = visit;
  const [call] = consoleCalls(step.text);
  if (!call) throw new Error('The block contains no command.');
  const words = machine.here(call.command).match(/"[^"]*"|\S+/g) ?? [];
  const argv = words.slice(1).map((word) => word.replaceAll('"', ''));
  const env = { ...machine.env, TERM: 'xterm-256color' };
  const terminal = openKeyboard(argv, { cwd: machine.folder, env, columns: 120 });
  const lines = call.output.split('\n');
  for (const answer of answers) {
    // A secret is shown as dots.
    const line = lines.find((each) => each.endsWith(answer) || /•$/.test(each)) ?? '';
    const question = line.slice(0, line.endsWith(answer) ? -answer.length : undefined);
    await terminal.waitFor(somewhere(question.replace(/•+$/, '')));
    terminal.type(`${answer}\r`);
    lines.splice(0, lines.indexOf(line) + 1);
  }
  expect(await terminal.exit(), terminal.text()).toBe(0);
  compare(visit, terminal.text(), call.output);
}

/** Returns a pattern that finds the shown text anywhere in the output. */
function somewhere(shown: string): RegExp {
  return new RegExp(matcherOf(shown).source.slice(1, -1));
}
