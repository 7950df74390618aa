import type { Writable } from 'node:stream';
import { escapeForeignLines, foreignJson } from '../foreign-text.js';
import { type Colors, createColors } from './colors.js';

export interface OutputOptions {
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** One JSON document on stdout instead of text for people. */
  readonly json: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Where a command's words go: data to stdout, messages to stderr. */
export interface Output {
  readonly json: boolean;
  /** Colours for text that goes to stdout (plain functions where colour is off). */
  readonly colors: Colors;
  /** Colours for text that goes to stderr. */
  readonly messageColors: Colors;
  /** Columns of the terminal that stdout is; 80 where it is none. */
  readonly width: number;
  /** The command's result, once: `value` as JSON with `--json`, else the text that `human` makes. */
  result(value: unknown, human: () => string): void;
  /** Text for stdout as it is (a line break is not added); for streams such as CSV or NDJSON. */
  write(text: string): void;
  /** A message for the person at the terminal, on stderr. */
  note(text: string): void;
  /** A message that asks for attention, on stderr; it may quote strangers, who cannot steer the terminal. */
  warn(text: string): void;
}

/** The writer every command prints through. Colour only on a terminal and never with NO_COLOR. */
export function createOutput({ stdout, stderr, json, env }: OutputOptions): Output {
  const noColor = Boolean(env.NO_COLOR) || env.TERM === 'dumb';
  const colors = createColors(Boolean(stdout.isTTY) && !noColor);
  const messageColors = createColors(Boolean(stderr.isTTY) && !noColor);
  return {
    json,
    colors,
    messageColors,
    width: stdout.columns || 80,
    result(value, human) {
      const text = json ? foreignJson(value, 2) : human();
      if (text !== '') stdout.write(`${text}\n`);
    },
    write(text) {
      stdout.write(text);
    },
    note(text) {
      stderr.write(`${text}\n`);
    },
    warn(text) {
      stderr.write(`${messageColors.yellow('Warning:')} ${escapeForeignLines(text)}\n`);
    },
  };
}
