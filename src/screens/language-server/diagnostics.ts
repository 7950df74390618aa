import { type Diagnostic, DiagnosticSeverity, DiagnosticTag } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { escapeForeign } from '../../base/foreign-text.js';
import type { FileReport, Severity } from '../check/findings.js';
import { shownFindings } from '../reporters/reporter.js';
import { rangesOf } from './places.js';

/** Who says so, as editors show it. */
const diagnosticSource = 'msgsite';

const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
};

/** Rules about what an editor strikes through, or fades. */
const tags: Readonly<Record<string, readonly DiagnosticTag[]>> = {
  'deprecated-property': [DiagnosticTag.Deprecated],
  'idle-block': [DiagnosticTag.Unnecessary],
  'unused-row-field': [DiagnosticTag.Unnecessary],
};

/** What was found in a document, as the protocol has it: the words of `validate-screen`, at the exact place. */
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

/** The one diagnostic of a document that is larger than the server reads (`20 MB`). */
export function tooLarge(size: string): Diagnostic {
  return {
    range: documentStart,
    severity: DiagnosticSeverity.Error,
    source: diagnosticSource,
    code: 'unreadable',
    message: `The file cannot be read: it is larger than ${size}. Start the server with --max-size to allow more.`,
  };
}
