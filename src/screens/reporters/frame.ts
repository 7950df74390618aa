import { breakCommands, escapeForeign } from '../../base/foreign-text.js';
import { columnsOf, firstColumns, lastColumns } from '../../base/text-columns.js';
import type { SourceLine } from '../../json/lines.js';
import type { Finding } from '../findings/finding.js';

/** Returns a code frame: the line before the finding, its line, and a mark under its range. */
export function codeFrame(finding: Finding, width: number): readonly FrameLine[] {
  const gutter = String(finding.line).length;
  const room = Math.max(20, width - gutter - 5);
  const marked = finding.frame.at(-1);
  if (marked === undefined || marked.text.trim() === '') return [];
  const { text, indent, width: length } = view(marked, finding, room);
  const before = finding.frame.slice(0, -1).filter((line) => line.text.trim() !== '');
  return [
    ...before.map((line) => ({
      kind: 'source' as const,
      number: pad(line, gutter),
      text: crop(line, room),
    })),
    { kind: 'marked', number: pad(marked, gutter), text },
    {
      kind: 'mark',
      number: ' '.repeat(gutter),
      text: `${' '.repeat(indent)}${'^'.repeat(length)}`,
    },
  ];
}

export interface FrameLine {
  readonly kind: 'source' | 'marked' | 'mark';
  readonly number: string;
  readonly text: string;
}

function pad({ number }: SourceLine, gutter: number): string {
  return String(number).padStart(gutter);
}

function crop({ text, skipped }: SourceLine, room: number): string {
  const clean = tidy(text);
  const start = skipped > 0 ? `…${clean}` : clean;
  return columnsOf(start) <= room ? start : `${firstColumns(start, room - 1)}…`;
}

/** Returns the part of a line that fits, with the position and width of the mark. */
function view(line: SourceLine, finding: Finding, room: number) {
  const from = Math.max(0, finding.column - 1 - line.skipped);
  const end =
    finding.endLine === finding.line ? finding.endColumn - 1 - line.skipped : line.text.length;
  const lead = tidy(line.text.slice(0, from));
  const body = tidy(line.text.slice(from, Math.max(from + 1, end)));
  const rest = tidy(line.text.slice(Math.max(from + 1, end)));
  // The marked range must be visible, so only the end of a long lead is kept.
  const leadRoom = Math.max(
    0,
    Math.min(columnsOf(lead), room - Math.min(columnsOf(body), room >> 1) - 2),
  );
  const cutLead = line.skipped > 0 || columnsOf(lead) > leadRoom;
  const shownLead = cutLead ? `…${lastColumns(lead, Math.max(0, leadRoom - 1))}` : lead;
  const tail = `${body}${rest}`;
  const tailRoom = room - columnsOf(shownLead);
  const shownTail = columnsOf(tail) <= tailRoom ? tail : `${firstColumns(tail, tailRoom - 1)}…`;
  const indent = columnsOf(shownLead);
  const width = Math.max(1, Math.min(columnsOf(body), columnsOf(shownTail)));
  return { text: shownLead + shownTail, indent, width };
}

/** Replaces tabs with two spaces, and escapes text that could control a terminal or a CI system. */
function tidy(text: string): string {
  return breakCommands(escapeForeign(text.replaceAll('\t', '  ')));
}
