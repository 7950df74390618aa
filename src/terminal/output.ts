import { breakCommands, escapeForeign, escapeForeignLines } from '../base/foreign-text.js';
import { stringifyExact } from '../json/exact-json.js';
import { type Colors, createColors, styleStart } from './colors.js';
import type { OutputStream } from './streams.js';

export interface OutputOptions {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** True to print a JSON document on stdout instead of text. */
  readonly json: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True to print only lines, without moving the cursor. Always true on a `dumb` terminal. */
  readonly plain?: boolean;
  /** True to escape text that a CI system would execute as a command. */
  readonly forCi?: boolean;
}

/**
 * A command's output: results on stdout, messages on stderr. Control characters in untrusted text, such as the content of
 * a file, are escaped. This includes all styles that do not come from `colors`.
 */
export interface Output {
  readonly json: boolean;
  /** True to print only lines, without moving the cursor. */
  readonly plain: boolean;
  /** Colours for text on stdout; without effect if colours are off. */
  readonly colors: Colors;
  /** Colours for text on stderr. */
  readonly messageColors: Colors;
  /** Colours for code that draws directly on a terminal. Such code must escape untrusted text. */
  readonly screenColors: { readonly stdout: Colors; readonly stderr: Colors };
  /** Width of stdout, in columns; 80 if it is not a terminal. */
  readonly width: number;
  /** True once any part of the result has been printed. */
  readonly hasResult: boolean;
  /** Prints the only result of a command: `value` with `--json`, otherwise the text of `human`. */
  result(value: unknown, human: () => string): void;
  /** Prints one of many results as a line: `value` with `--json`, otherwise the text of `human`. */
  line(value: unknown, human: () => string): void;
  /** Prints a document, such as a page or CSV, unchanged. The caller must escape untrusted text. */
  write(text: string): void;
  /** Prints a message on stderr. */
  note(text: string): void;
  /** Prints a warning as one line on stderr. */
  warn(text: string): void;
  /** Closes the output. Later calls print nothing. */
  close(): void;
}

/** Creates the output of a command. Colours are used only on a terminal, and never if NO_COLOR is set. */
export function createOutput(options: OutputOptions): Output {
  const { stdout, stderr, json, env, forCi = false } = options;
  const isDumb = env.TERM === 'dumb';
  const noColor = Boolean(env.NO_COLOR) || isDumb;
  const [paintsOut, paintsErr] = [stdout, stderr].map(({ isTTY }) => Boolean(isTTY) && !noColor);
  // Styles start with a random placeholder, which untrusted text cannot contain.
  const start = paintsOut || paintsErr ? crypto.randomUUID() : '';
  const styled = (text: string) =>
    paintsOut || paintsErr ? text.replaceAll(start, styleStart) : text;
  const withoutCommands = (text: string) => (forCi ? breakCommands(text) : text);
  const safe = (text: string) => styled(withoutCommands(escapeForeignLines(text)));
  const safeJson = (value: unknown, indent?: number) =>
    withoutCommands(escapeForeignLines(stringifyExact(value, undefined, indent)));
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
      const label = styled(messageColors.yellow('Warning:'));
      writeTo(stderr, `${label} ${styled(withoutCommands(escapeForeign(text)))}\n`);
    },
    close() {
      isClosed = true;
    },
  };
}
