import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openTerminal as openKeyboard } from '../helpers/terminal.js';
import { type Machine, type MachineOptions, makeMachine, root } from './machine.js';
import { type CodeBlock, consoleCalls, matcherOf, stepsOf, tidy } from './markdown.js';
import { type OpenTerminal, openShell, openTerminal, type Ran, type Shell } from './shell.js';

/**
 * Follows a page as a reader does: every `sh` and `console` block in its order, in one shell, in a
 * fresh clone. What a block shows (a console's answers, or a `text` block after it) has to come, and
 * every command has to end with 0. A mark above a block (`<!-- test: … -->`) says otherwise:
 * - `not run: REASON`;
 * - `stays open`: it runs in a terminal of its own; one is ended by a mark `Ctrl+C N` that stands alone;
 * - `exit N`: the last command ends with that;
 * - `typed A | B`: the command asks, at a terminal, and these are the answers;
 * - `file NAME`: no command, but what the reader writes into that file.
 */
export interface Reader extends MachineOptions {
  /** What the reader has done before: a command in a terminal of its own, or in the shell. */
  readonly open?: readonly string[];
  readonly before?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Gives the folder in which the page was followed; it goes away with the test. */
export async function follow(page: string, reader: Reader = {}): Promise<string> {
  const made = await makeMachine(reader);
  const ids = new Map<string, string>();
  const machine: Machine = {
    ...made,
    env: { ...made.env, ...reader.env },
    here: (text) => [...ids].reduce((all, [from, to]) => all.replaceAll(from, to), made.here(text)),
  };
  /** What was printed has to be what is shown; ids on the page stand for those that came. */
  const compare: Compare = (printed, shown) => {
    const text = tidy(machine.there(printed));
    const found = matcherOf(shown).exec(text);
    if (!found) throw new Error(`it shows\n${shown}\nbut this comes:\n${text}`);
    const numbers = found.slice(1);
    for (const [index, id] of (shown.match(/\d{6,}/g) ?? []).entries()) {
      ids.set(id, numbers[index] ?? id);
    }
  };
  const terminals: OpenTerminal[] = [];
  const open = async (code: string, shown: RegExp) => {
    const terminal = await openTerminal(machine, machine.here(code));
    terminals.push(terminal);
    await terminal.waitFor(shown);
  };
  for (const code of reader.open ?? []) await open(code, serving);
  const shell = await openShell(machine);
  if (reader.before) expectDone(await shell.run(machine.here(reader.before)), reader.before);
  const steps = stepsOf(await readFile(join(root, page), 'utf8'));
  for (const [index, step] of steps.entries()) {
    const { line, mark = '' } = step;
    const next = steps[index + 1];
    const shown = next?.kind === 'block' && next.language === 'text' ? next.text : '';
    try {
      if (step.kind === 'mark') {
        const number = Number(/^Ctrl\+C (\d+)$/.exec(mark)?.[1]);
        await terminals[number - 1]?.interrupt();
      } else if (mark.startsWith('file ')) {
        await writeFile(join(machine.folder, mark.slice(5)), machine.here(`${step.text}\n`));
      } else if (mark === 'stays open') {
        for (const { command, output } of callsOf(step, shown)) {
          await open(command, output ? somewhere(machine.here(output)) : serving);
        }
      } else if (mark.startsWith('typed ')) {
        await typeAnswers(machine, step, mark.slice(6).split(' | '), compare);
      } else if (!mark.startsWith('not run: ')) {
        const status = Number(/^exit (\d+)$/.exec(mark)?.[1] ?? 0);
        await runBlock(shell, machine, callsOf(step, shown), { status, compare });
      }
    } catch (error) {
      throw new Error(`${page}:${line}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return machine.folder;
}

/** What commands print that go on running, once they accept connections. */
const serving = /http:\/\/\S+\n/;

type Compare = (printed: string, shown: string) => void;

interface Call {
  readonly command: string;
  /** What the page shows of its answer; empty where it shows none. */
  readonly output: string;
}

function callsOf({ language, text }: CodeBlock, shown: string): Call[] {
  if (language === 'console') return consoleCalls(text);
  return language === 'sh' ? [{ command: text, output: shown }] : [];
}

async function runBlock(
  shell: Shell,
  machine: Machine,
  calls: readonly Call[],
  { status, compare }: { readonly status: number; readonly compare: Compare },
): Promise<void> {
  for (const [index, { command, output }] of calls.entries()) {
    const ran = await shell.run(machine.here(command));
    const isLast = index === calls.length - 1;
    if (isLast && status !== 0) expect(ran.status, ran.output).toBe(status);
    else expectDone(ran, command);
    if (output) compare(ran.output, output);
  }
}

function expectDone({ status, failed, output }: Ran, command: string): void {
  expect({ command, status, failed, output }).toMatchObject({ status: 0, failed: [] });
}

/** At a terminal, whose screen in the end shows what the page does. */
async function typeAnswers(
  machine: Machine,
  step: CodeBlock,
  answers: readonly string[],
  compare: Compare,
): Promise<void> {
  const [call] = consoleCalls(step.text);
  if (!call) throw new Error('There is no command to answer to.');
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
  compare(terminal.text(), call.output);
}

/** Where something like this is among what was printed. */
function somewhere(shown: string): RegExp {
  return new RegExp(matcherOf(shown).source.slice(1, -1));
}
