import type { Range as ProtocolRange } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Range } from '../../json/find-in-text.js';
import type { Position } from '../../json/lines.js';

/** A part of a text as the protocol has it: lines and columns from 0, columns in UTF-16 units. */
export function rangeOf(document: TextDocument, { offset, length }: Range): ProtocolRange {
  return { start: document.positionAt(offset), end: document.positionAt(offset + length) };
}

/**
 * Where findings are in a document, as the protocol has it. The linter knows line feeds alone as the ends of
 * lines, the protocol carriage returns, too; and the linter does not count a byte order mark.
 */
export function rangesOf(
  document: TextDocument,
  positions: readonly Position[],
): readonly ProtocolRange[] {
  const text = document.getText();
  const first = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const starts = [first];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const offsetOf = (line: number, column: number): number =>
    Math.min((starts[line - 1] ?? 0) + column - 1, text.length);
  return positions.map(({ line, column, endLine, endColumn }) => {
    const offset = offsetOf(line, column);
    return rangeOf(document, { offset, length: offsetOf(endLine, endColumn) - offset });
  });
}
