import { contractRules } from '../check/contract-rules.js';
import type { DocumentedRule, Finding } from '../findings/finding.js';
import { withSlashes } from '../findings/slashes.js';
import { allRules } from '../rules/all-rules.js';
import { harmlessJson, type Reporter, severityNames, shownFindings } from './reporter.js';

/** Writes SARIF 2.1.0 for code scanning. Columns count UTF-16 code units. */
export function createSarifReporter(version: string): Reporter {
  const rules = [...contractRules, ...allRules];
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  let separator = '\n';
  return {
    start: () => {
      const driver = { name: 'msgsite validate-screen', version, rules: rules.map(describeRule) };
      const tool = JSON.stringify({ driver }, null, 2).replaceAll('\n', '\n      ');
      return `{
  "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
  "version": "2.1.0",
  "runs": [
    {
      "tool": ${tool},
      "columnKind": "utf16CodeUnits",
      "results": [`;
    },
    file(report) {
      const fingerprint = fingerprintsOfFile();
      return shownFindings(report)
        .map((finding) => {
          const result = {
            ...describeResult(report.file, finding, indexes.get(finding.rule)),
            partialFingerprints: { 'ruleIdentity/v2': fingerprint(finding) },
          };
          const text = `${separator}        ${harmlessJson(result)}`;
          separator = ',\n';
          return text;
        })
        .join('');
    },
    end({ unreadable }) {
      const invocation = JSON.stringify({ executionSuccessful: unreadable === 0 });
      return `\n      ],\n      "invocations": [${invocation}]\n    }\n  ]\n}\n`;
    },
  };
}

function describeRule({ id, severity, summary, documentation }: DocumentedRule): object {
  return {
    id,
    shortDescription: { text: `${summary}.` },
    fullDescription: { text: documentation },
    help: { text: documentation },
    defaultConfiguration: { level: severityNames[severity] },
  };
}

function describeResult(file: string, finding: Finding, ruleIndex: number | undefined): object {
  const { rule, severity, message, path, line, column, endLine, endColumn, location } = finding;
  const region = { startLine: line, startColumn: column, endLine, endColumn };
  return {
    ruleId: rule,
    ...(ruleIndex === undefined ? {} : { ruleIndex }),
    level: severityNames[severity],
    message: { text: message },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: toUri(file) }, region },
        logicalLocations: [{ name: location, fullyQualifiedName: path || '/', kind: 'property' }],
      },
    ],
  };
}

/**
 * Returns a function that creates the fingerprints of a file. A fingerprint does not change when rows are inserted
 * above the finding. Identical findings are numbered.
 */
function fingerprintsOfFile(): (finding: Finding) => string {
  const seen = new Map<string, number>();
  return ({ rule, path, identity = { at: path } }) => {
    const { at, text } = identity;
    const name = text === undefined ? `${rule}:${at}` : `${rule}:${at}:${text}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return `${name}:${count}`;
  };
}

/** Converts a relative or absolute path to a URI reference. */
function toUri(file: string): string {
  const path = withSlashes(file).replace(/\p{Surrogate}/gu, '\ufffd');
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  return encoded.startsWith('/') ? `file://${encoded}` : encoded;
}
