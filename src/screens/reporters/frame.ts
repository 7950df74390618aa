import { escapeForeign } from '../../base/foreign-text.js';
import { breakCommands } from '../../base/workflow-commands.js';
import type { Finding, SourceLine } from '../check/findings.js';

/** The part of a line that fits, and where in it the marked place begins and ends. */
interface View {
  readonly text: string;
  readonly indent: number;
  readonly width: number;
}

/** A code frame: the line before, the line in question, and a mark under the place. */
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
  return columns(start) <= room ? start : `${firstColumns(start, room - 1)}…`;
}

function view(line: SourceLine, finding: Finding, room: number): View {
  const from = Math.max(0, finding.column - 1 - line.skipped);
  const end =
    finding.endLine === finding.line ? finding.endColumn - 1 - line.skipped : line.text.length;
  const lead = tidy(line.text.slice(0, from));
  const body = tidy(line.text.slice(from, Math.max(from + 1, end)));
  const rest = tidy(line.text.slice(Math.max(from + 1, end)));
  // The place has to be seen: of a long lead only its end is kept.
  const leadRoom = Math.max(
    0,
    Math.min(columns(lead), room - Math.min(columns(body), room >> 1) - 2),
  );
  const cutLead = line.skipped > 0 || columns(lead) > leadRoom;
  const shownLead = cutLead ? `…${lastColumns(lead, Math.max(0, leadRoom - 1))}` : lead;
  const tail = `${body}${rest}`;
  const tailRoom = room - columns(shownLead);
  const shownTail = columns(tail) <= tailRoom ? tail : `${firstColumns(tail, tailRoom - 1)}…`;
  const indent = columns(shownLead);
  const width = Math.max(1, Math.min(columns(body), columns(shownTail)));
  return { text: shownLead + shownTail, indent, width };
}

/** Tabs as two spaces; what could steer a terminal or a CI as escapes, before columns are counted. */
function tidy(text: string): string {
  return breakCommands(escapeForeign(text.replaceAll('\t', '  ')));
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\p{Emoji_Presentation}]/u;
const ascii = /^[\x20-\x7e]*$/;
const zero = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** Columns of a terminal that a text takes, roughly: wide letters and emoji take two. */
function columns(text: string): number {
  if (ascii.test(text)) return text.length;
  let count = 0;
  for (const character of text) count += columnsOf(character);
  return count;
}

function columnsOf(character: string): number {
  if (zero.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

function firstColumns(text: string, room: number): string {
  if (ascii.test(text)) return text.slice(0, Math.max(0, room));
  let result = '';
  let used = 0;
  for (const character of text) {
    used += columnsOf(character);
    if (used > room) break;
    result += character;
  }
  return result;
}

function lastColumns(text: string, room: number): string {
  if (ascii.test(text)) return room > 0 ? text.slice(-room) : '';
  const characters = [...text];
  let used = 0;
  let start = characters.length;
  while (start > 0) {
    used += columnsOf(characters[start - 1] ?? '');
    if (used > room) break;
    start--;
  }
  return characters.slice(start).join('');
}
