/**
 * A script without the comments that have lines of their own, each line of them left empty: what runs, and on which
 * line, is the same. Where it cannot be sure of that without reading the language whole, the script is given back as
 * it is. Comments that tools read (`//#`, `/*!`) stay.
 */
export function withoutComments(script: string): string {
  const lines = script.split('\n');
  const kept = [...keptLines(lines)];
  const code = kept.filter((line) => line !== '');
  return code.some(mayReachFurther) ? script : kept.join('\n');
}

function* keptLines(lines: readonly string[]): Generator<string> {
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const end = endOfComment(lines, index);
    if (end === undefined) yield line;
    else yield* Array<string>(end - index + 1).fill('');
    index = end ?? index;
  }
}

/** The last line of a comment that begins with a line and ends with one; undefined where none begins here. */
function endOfComment(lines: readonly string[], start: number): number | undefined {
  const first = (lines[start] ?? '').trim();
  if (first.startsWith('//')) return first.startsWith('//#') ? undefined : start;
  if (!first.startsWith('/*') || first.startsWith('/*!')) return undefined;
  const end = lines.findIndex((line, index) => {
    const from = index === start ? line.indexOf('/*') + 2 : 0;
    return index >= start && line.includes('*/', from);
  });
  return end !== -1 && isEnd(lines[end] ?? '') ? end : undefined;
}

/** Whether nothing follows the first end of a comment. */
function isEnd(line: string): boolean {
  return line.trim().indexOf('*/') === line.trim().length - 2;
}

/**
 * Whether a line may leave a text or a comment open, in which the next lines would be no code: a template, a comment
 * that begins behind code, a text that continues.
 */
function mayReachFurther(line: string): boolean {
  const ticks = line.split('`').length - 1;
  return ticks % 2 === 1 || line.lastIndexOf('/*') > line.lastIndexOf('*/') || line.endsWith('\\');
}
