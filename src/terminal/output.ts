import { breakCommands, escapeForeign, escapeForeignLines } from '../base/foreign-text.js';
import { stringifyExact } from '../json/exact-json.js';
import { type Colors, createColors, styleStart } from './colors.js';
import type { OutputStream } from './streams.js';

export interface OutputOptions {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** True for a JSON document on stdout instead of text. */
  readonly json: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True to print only lines. A `dumb` terminal always gets only lines. */
  readonly plain?: boolean;
  /** True to also escape text that a CI system would execute as a command. */
  readonly forCi?: boolean;
}

/**
 * A command's output: data on stdout, messages on stderr. It escapes control characters in foreign text, such as that of
 * a provider or a file, including all styles that do not come from `colors`.
 */
export interface Output {
  readonly json: boolean;
  /** True to print only lines, without moving the cursor. */
  readonly plain: boolean;
  /** Colours for text on stdout; plain functions if colours are off. */
  readonly colors: Colors;
  /** Colours for text on stderr. */
  readonly messageColors: Colors;
  /** Colours for code that draws on a terminal itself and escapes foreign text. */
  readonly screenColors: { readonly stdout: Colors; readonly stderr: Colors };
  /** Columns of stdout; 80 if it is not a terminal. */
  readonly width: number;
  /** True once any part of the result has been printed. */
  readonly hasResult: boolean;
  /** Prints the command's result, once: `value` with `--json`, the text of `human` otherwise. */
  result(value: unknown, human: () => string): void;
  /** Prints one of many results in a line: `value` with `--json`, the text of `human` otherwise. */
  line(value: unknown, human: () => string): void;
  /** Prints a document, such as a page or CSV, unchanged. The caller has escaped foreign text. */
  write(text: string): void;
  /** Prints a message on stderr. */
  note(text: string): void;
  /** Prints a warning in one line on stderr. */
  warn(text: string): void;
  /** Ends the output; later calls print nothing. */
  close(): void;
}

/** Creates the output of a command. It has colours only on a terminal and never with NO_COLOR. */
export function createOutput(options: OutputOptions): Output {
  const { stdout, stderr, json, env, forCi = false } = options;
  const isDumb = env.TERM === 'dumb';
  const noColor = Boolean(env.NO_COLOR) || isDumb;
  const [paintsOut, paintsErr] = [stdout, stderr].map(({ isTTY }) => Boolean(isTTY) && !noColor);
  // Own styles start with a random placeholder, so foreign text cannot contain one.
  const start = paintsOut || paintsErr ? crypto.randomUUID() : '';
  const styled = (text: string) =>
    paintsOut || paintsErr ? text.replaceAll(start, styleStart) : text;
  const unread = (text: string) => (forCi ? breakCommands(text) : text);
  const safe = (text: string) => styled(unread(escapeForeignLines(text)));
  const safeJson = (value: unknown, indent?: number) =>
    unread(escapeForeignLines(stringifyExact(value, undefined, indent)));
  const colors = createColors(paintsOut === true, start);
  const messageColors = createColors(paintsErr === true, start);
  let hasResult = false;
  let isClosed = false;
  const writeTo = (stream: OutputStream, text: string) => {
    if (!isClosed) stream.write(text);
  };
  return {
    json,
    plain: options.plain === true || isDumb,
    colors,
    messageColors,
    screenColors: {
      stdout: createColors(paintsOut === true),
      stderr: createColors(paintsErr === true),
    },
    width: stdout.columns || 80,
    get hasResult() {
      return hasResult;
    },
    result(value, human) {
      hasResult = true;
      const text = json ? safeJson(value, 2) : safe(human());
      if (text !== '') writeTo(stdout, `${text}\n`);
    },
    line(value, human) {
      writeTo(stdout, `${json ? safeJson(value) : safe(human())}\n`);
    },
    write(text) {
      hasResult = true;
      writeTo(stdout, styled(text));
    },
    note(text) {
      writeTo(stderr, `${safe(text)}\n`);
    },
    warn(text) {
      writeTo(
        stderr,
        `${styled(messageColors.yellow('Warning:'))} ${styled(unread(escapeForeign(text)))}\n`,
      );
    },
    close() {
      isClosed = true;
    },
  };
}
