import { breakCommandsInMarkup } from '../../base/foreign-text.js';
import { entities } from '../../base/html.js';
import { describeCounts, type Finding, plural, type Severity } from '../findings/finding.js';
import {
  harmless,
  type Outcome,
  omissionRule,
  type Reporter,
  shownFindings,
  tooManyWarnings,
} from './reporter.js';

/** Maximum number of rows of each kind, except rows about omitted findings. A job summary is limited to 1 MiB. */
const rowCap = 200;

const headings: Readonly<Record<Severity, string>> = {
  error: 'Errors',
  warning: 'Warnings',
  info: 'Notes',
};

/** Writes a Markdown page, such as for `$GITHUB_STEP_SUMMARY`: the result, then tables, errors first. */
export function createMarkdownReporter(): Reporter {
  const rows: Record<Severity, string[]> = { error: [], warning: [], info: [] };
  const beyond: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
  const reporter: Reporter = {
    start: () => '',
    file(report) {
      for (const finding of shownFindings(report)) {
        const { severity } = finding;
        const list = rows[severity];
        if (finding.rule === omissionRule || list.length < rowCap)
          list.push(row(report.file, finding));
        else beyond[severity]++;
      }
      return '';
    },
    end(outcome) {
      const tables = (['error', 'warning', 'info'] as const).map((severity) =>
        table(headings[severity], rows[severity], beyond[severity]),
      );
      return `## Screen definitions\n\n${verdict(outcome)}\n${tables.join('')}`;
    },
  };
  return harmless(reporter, breakCommandsInMarkup);
}

function verdict(outcome: Outcome): string {
  const tooMany = tooManyWarnings(outcome);
  const mark = outcome.errors > 0 || tooMany ? '❌' : '✅';
  return `${mark} ${capital(describeCounts(outcome))}.${tooMany ? ` ${tooMany}` : ''}\n`;
}

function table(heading: string, rows: readonly string[], beyond: number): string {
  if (rows.length === 0) return '';
  const rest = beyond > 0 ? `\n… and ${plural(beyond, 'more')}.\n`.replace('mores', 'more') : '';
  return `\n### ${heading}\n\n| Location | Message | Rule |\n| --- | --- | --- |\n${rows.join('\n')}\n${rest}`;
}

function row(file: string, { line, column, location, message, rule }: Finding): string {
  const where = `${code(`${file}:${line}:${column}`)}<br>${cell(location)}`;
  return `| ${where} | ${cell(message)} | ${code(rule)} |`;
}

function code(text: string): string {
  return `<code>${cell(text)}</code>`;
}

/** Escapes text for a table cell, so that it contains no Markdown, HTML, links or cell separators. */
function cell(text: string): string {
  return text
    .replace(/[&<>]/g, (sign) => entities[sign] ?? sign)
    .replace(/[\\`*_[\]|~#$@!]|:(?=[:/])|(?<=www)\./gi, (sign) => `&#${sign.charCodeAt(0)};`)
    .replace(/[\r\n]+/g, ' ');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
