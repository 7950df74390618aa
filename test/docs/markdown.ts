/** Parses Markdown pages. */

/** A fenced block with the mark (`<!-- test: … -->`) on the line above it. */
export interface CodeBlock {
  readonly kind: 'block';
  readonly line: number;
  readonly language: string;
  readonly text: string;
  readonly mark: string | undefined;
}

/** A mark without a block. It describes an action of the reader. */
export interface LoneMark {
  readonly kind: 'mark';
  readonly line: number;
  readonly mark: string;
}

export type Step = CodeBlock | LoneMark;

const markPattern = /^<!-- test: (.*) -->$/;

/** Returns the blocks and marks of a page. Lines count from 1. */
export function stepsOf(markdown: string): Step[] {
  const lines = markdown.split('\n');
  const steps: Step[] = [];
  let mark: LoneMark | undefined;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const [, fence, language = ''] = /^(```+)(\w*)/.exec(line) ?? [];
    if (!fence) {
      if (mark) steps.push(mark);
      const found = markPattern.exec(line)?.[1];
      mark = found === undefined ? undefined : { kind: 'mark', line: index + 1, mark: found };
      continue;
    }
    const end = lines.indexOf(fence, index + 1);
    if (end < 0) throw new Error(`The block in line ${index + 1} has no end.`);
    const text = lines.slice(index + 1, end).join('\n');
    steps.push({ kind: 'block', line: index + 1, language, text, mark: mark?.mark });
    mark = undefined;
    index = end;
  }
  if (mark) steps.push(mark);
  return steps;
}

/** Returns the page without its fenced blocks. */
export function proseOf(markdown: string): string {
  return markdown.replace(/^(```+)[^\n]*\n[\s\S]*?^\1$/gm, '');
}

/** Parses a `console` block, which contains commands after `$ ` (possibly on several lines) and their output. */
export function consoleCalls(text: string): { command: string; output: string }[] {
  const calls: { command: string; output: string }[] = [];
  let isCommand = false;
  for (const line of text.split('\n')) {
    const last = calls.at(-1);
    if (line.startsWith('$ ')) calls.push({ command: line.slice(2), output: '' });
    else if (!last) throw new Error(`A console block must begin with "$ ": ${line}`);
    else if (isCommand) last.command += `\n${line}`;
    else last.output += `${line}\n`;
    isCommand = /\\$/.test(line) && (line.startsWith('$ ') || isCommand);
  }
  return calls;
}

/**
 * Returns a pattern for the output that a page shows. `…` matches anything. Numbers of six or more digits, dates, times
 * and runs of spaces match any others of their kind. The numbers are captured.
 */
export function matcherOf(shown: string): RegExp {
  const pattern = shown
    .trim()
    .split('\n')
    .map((line) => line.trimEnd().replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('\n')
    .replace(/\d{4}-\d\d-\d\d/g, 'DAY')
    .replace(/\d\d:\d\d:\d\d/g, 'TIME')
    .replace(/\d{6,}/g, '(\\d{6,})')
    .replaceAll('DAY', '\\d{4}-\\d\\d-\\d\\d')
    .replaceAll('TIME', '\\d\\d:\\d\\d:\\d\\d')
    .replace(/ +/g, ' +')
    .replaceAll('…', '[\\s\\S]*?');
  return new RegExp(`^${pattern}$`);
}

/** Returns the output without trailing white space and carriage returns. */
export function tidy(printed: string): string {
  return printed
    .replaceAll('\r', '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}
