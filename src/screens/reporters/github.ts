import { breakCommands } from '../../base/foreign-text.js';
import { describeCounts, type Finding, plural, type Severity } from '../findings/finding.js';
import { harmless, plainLine, type Reporter, shownFindings, tooManyWarnings } from './reporter.js';

/** The number of annotations of each kind that GitHub shows per step. */
const cap = 10;

const kinds: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
};

/**
 * Writes GitHub workflow commands. The first ten findings of each kind become annotations, errors first. The others
 * become plain lines in the log.
 */
export function createGithubReporter(): Reporter {
  const kept: Record<Severity, string[]> = { error: [], warning: [], info: [] };
  let beyond = 0;
  const reporter: Reporter = {
    start: () => '',
    file(report) {
      const { file } = report;
      const plain = shownFindings(report).flatMap((finding) => {
        const list = kept[finding.severity];
        if (list.length < cap) {
          list.push(annotation(file, finding));
          return [];
        }
        beyond++;
        return [breakCommands(plainLine(file, finding))];
      });
      return plain.map((line) => `${line}\n`).join('');
    },
    end(outcome) {
      const lines = [...kept.error, ...kept.warning, ...kept.info];
      if (beyond > 0) {
        const verb = beyond === 1 ? 'is' : 'are';
        lines.push(
          `${plural(beyond, 'more finding')} ${verb} only in the log, because GitHub shows ${cap} annotations of each kind.`,
        );
      }
      const tooMany = tooManyWarnings(outcome);
      if (tooMany) lines.push(`::error::${data(tooMany)}`);
      lines.push(`validate-screen: ${describeCounts(outcome)}.`);
      return `${lines.join('\n')}\n`;
    },
  };
  // The annotations are commands, so only the text in them is broken up.
  return harmless(reporter, (text) => text);
}

function annotation(file: string, finding: Finding): string {
  const { rule, severity, message, location, line, column, endLine, endColumn } = finding;
  // GitHub supports columns only within one line.
  const columns = endLine === line ? `,col=${column},endColumn=${endColumn}` : '';
  const where = `file=${property(file)},line=${line},endLine=${endLine}${columns}`;
  return `::${kinds[severity]} ${where},title=${property(rule)}::${data(`${message} [${location}]`)}`;
}

/** Escapes the message of a workflow command. */
function data(text: string): string {
  return breakCommands(percentEncode(text));
}

/** Escapes a property of a workflow command. */
function property(text: string): string {
  return breakCommands(percentEncode(text).replaceAll(':', '%3A').replaceAll(',', '%2C'));
}

function percentEncode(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
