import { breakCommands, escapeForeign, escapeForeignLines } from '../base/foreign-text.js';
import { stringifyExact } from '../json/exact-json.js';
import { type Colors, createColors, styleStart } from './colors.js';
import type { OutputStream } from './streams.js';

export interface OutputOptions {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** One JSON document on stdout instead of text for people. */
  readonly json: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Lines only, whatever the terminal can do; the same where TERM is `dumb`. */
  readonly plain?: boolean;
  /** CI systems read along: what they would take for a command is broken up, too. */
  readonly forCi?: boolean;
}

/**
 * Where a command's words go: data to stdout, messages to stderr. Whatever strangers have in them (a
 * provider, a file, a name) cannot steer the terminal: it is escaped here, styles by other hands than
 * `colors` included.
 */
export interface Output {
  readonly json: boolean;
  /** Whether everything is to be said in lines: no cursor is moved and nothing is drawn again. */
  readonly plain: boolean;
  /** Colours for text that goes to stdout from here (plain functions where colour is off). */
  readonly colors: Colors;
  /** Colours for text that goes to stderr from here. */
  readonly messageColors: Colors;
  /** The same as terminals take them, for what draws on one itself and escapes what it shows. */
  readonly screenColors: { readonly stdout: Colors; readonly stderr: Colors };
  /** Columns of the terminal that stdout is; 80 where it is none. */
  readonly width: number;
  /** Whether the result, or the beginning of it, has been printed. */
  readonly hasResult: boolean;
  /** The command's result, once: `value` as JSON with `--json`, else the text that `human` makes. */
  result(value: unknown, human: () => string): void;
  /** One of many results, in a line: `value` as JSON with `--json`, else the text that `human` makes. */
  line(value: unknown, human: () => string): void;
  /** A document for stdout as it is: a page, CSV, a report. Its maker escapes what strangers wrote. */
  write(text: string): void;
  /** A message for the person at the terminal, on stderr. */
  note(text: string): void;
  /** A message in one line that asks for attention, on stderr. */
  warn(text: string): void;
  /** Nothing is written any more: the last word is said, whatever the work that was left alone comes to. */
  close(): void;
}

/** The writer every command prints through. Colour only on a terminal and never with NO_COLOR. */
export function createOutput(options: OutputOptions): Output {
  const { stdout, stderr, json, env, forCi = false } = options;
  const isDumb = env.TERM === 'dumb';
  const noColor = Boolean(env.NO_COLOR) || isDumb;
  const [paintsOut, paintsErr] = [stdout, stderr].map(({ isTTY }) => Boolean(isTTY) && !noColor);
  // Nobody who wrote a text could know what our own styles begin with while it is put together.
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
