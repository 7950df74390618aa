import { type Finding, omittedOf, type Severity } from '../findings/finding.js';
import { harmlessJson, type Reporter } from './reporter.js';

/**
 * Writes `{"valid", "files": [{"file", "valid", "errors", "warnings", "infos", "omitted"}], "summary"}`. With --fix,
 * each file also has the number of `fixed` findings.
 */
export function createJsonReporter(): Reporter {
  let separator = '\n';
  return {
    start: () => '{\n  "files": [',
    file(report) {
      const { file, findings, counts, fixed } = report;
      const entry = {
        file,
        valid: counts.errors === 0,
        errors: listOf(findings, 'error'),
        warnings: listOf(findings, 'warning'),
        infos: listOf(findings, 'info'),
        omitted: omittedOf(report),
        ...(fixed === undefined ? {} : { fixed }),
      };
      const text = `${separator}${indent(harmlessJson(entry, 2), 4)}`;
      separator = ',\n';
      return text;
    },
    end({ files, errors, warnings, infos, stats }) {
      const summary = JSON.stringify({ files, errors, warnings, infos });
      const times = stats === undefined ? '' : `\n  "stats": ${harmlessJson(stats)},`;
      return `\n  ],\n  "summary": ${summary},${times}\n  "valid": ${errors === 0}\n}\n`;
    },
  };
}

function listOf(findings: readonly Finding[], level: Severity): readonly object[] {
  return findings
    .filter(({ severity }) => severity === level)
    .map(({ rule, path, message, line, column, fix }) => {
      const finding = { rule, path, message, line, column };
      return fix === undefined ? finding : { ...finding, fixable: true };
    });
}

function indent(text: string, columns: number): string {
  return text.replace(/^/gm, ' '.repeat(columns));
}
