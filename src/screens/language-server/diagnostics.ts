import {
  type Diagnostic,
  DiagnosticSeverity,
  DiagnosticTag,
  type Range as ProtocolRange,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { escapeForeign } from '../../base/foreign-text.js';
import type { Range } from '../../json/find-in-text.js';
import type { Position } from '../../json/lines.js';
import type { FileReport, Severity } from '../findings/finding.js';
import { shownFindings } from '../reporters/reporter.js';

/** Converts a range to the protocol, where lines and columns count from 0 and columns are UTF-16 units. */
export function rangeOf(document: TextDocument, { offset, length }: Range): ProtocolRange {
  return { start: document.positionAt(offset), end: document.positionAt(offset + length) };
}

/**
 * Converts positions of findings to ranges of the protocol. Only line feeds end a line in the linter, but carriage
 * returns also do so in the protocol. The linter does not count a byte order mark.
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

/** The source of diagnostics that editors show. */
const diagnosticSource = 'msgsite';

const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
};

/** Rules whose findings editors strike through or fade. */
const tags: Readonly<Record<string, readonly DiagnosticTag[]>> = {
  'deprecated-property': [DiagnosticTag.Deprecated],
  'idle-block': [DiagnosticTag.Unnecessary],
  'unused-row-field': [DiagnosticTag.Unnecessary],
};

/** Converts the findings of a report to diagnostics. */
export function diagnosticsOf(document: TextDocument, report: FileReport): Diagnostic[] {
  const findings = shownFindings(report);
  const ranges = rangesOf(document, findings);
  return findings.map(({ rule, severity, message }, index) => ({
    range: ranges[index] ?? documentStart,
    severity: severities[severity],
    source: diagnosticSource,
    code: rule,
    message: escapeForeign(message),
    ...(tags[rule] ? { tags: [...tags[rule]] } : {}),
  }));
}

const documentStart = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };

/** Returns the diagnostic for a document that exceeds the size limit (`20 MB`). */
export function tooLarge(size: string): Diagnostic {
  return {
    range: documentStart,
    severity: DiagnosticSeverity.Error,
    source: diagnosticSource,
    code: 'unreadable',
    message: `The file cannot be read: it is larger than ${size}. Start the server with --max-size to allow larger files.`,
  };
}
