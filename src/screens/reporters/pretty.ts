import { breakCommands } from '../../base/foreign-text.js';
import { wrapWords } from '../../base/text-columns.js';
import {
  describeCounts,
  describeKinds,
  type FileReport,
  type Finding,
  type FoldedCount,
  plural,
  type Severity,
  severityRank,
} from '../findings/finding.js';
import { openFolding } from '../findings/gather.js';
import { codeFrame, type FrameLine } from './frame.js';
import {
  harmless,
  type Outcome,
  type Reporter,
  severityNames,
  shownFindings,
  tooManyWarnings,
} from './reporter.js';

/** Wraps text in a colour, or gives it back as it is. */
type Style = (text: string) => string;

export interface PrettyOptions {
  readonly colors: Readonly<Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', Style>>;
  /** Columns of the terminal. */
  readonly width: number;
  /** Shows a few findings of each rule that is no error, and counts the others. */
  readonly fold?: boolean;
}

/** For people: each finding with its place, the line it is about, and what to do. */
export function createPrettyReporter({ colors, width, fold = false }: PrettyOptions): Reporter {
  const paint: Readonly<Record<Severity, Style>> = {
    error: colors.red,
    warning: colors.yellow,
    info: colors.cyan,
  };
  let shown = 0;
  const tally = openTally();
  const folding = openFolding(fold);
  const lineOf = ({ kind, number, text }: FrameLine, style: Style): string => {
    const gutter = colors.dim(`${kind === 'marked' ? '>' : ' '} ${number} |`);
    const body = kind === 'mark' ? style(text) : kind === 'marked' ? text : colors.dim(text);
    return `${gutter} ${body}`.trimEnd();
  };
  const describe = (file: string, finding: Finding): string => {
    const { severity, rule, message, place, line, column, fix } = finding;
    const style = paint[severity];
    const where = colors.bold(`${file}:${line}:${column}`);
    const hint = fix === undefined ? '' : colors.dim(' (--fix corrects it)');
    const head = `${where} ${style(severityNames[severity])} ${colors.dim(rule)}${hint}`;
    const frame = codeFrame(finding, width).map((frameLine) => lineOf(frameLine, style));
    const words = wrapWords(message, width - 2).map((line) => `  ${line}`);
    return [head, ...words, `  ${colors.dim(`at ${place}`)}`, ...frame, ''].join('\n');
  };
  const reporter: Reporter = {
    start: () => '',
    file(report) {
      tally.add(report);
      folding.add(report.folded ?? []);
      const findings = shownFindings(report).filter(folding.shows);
      shown += findings.length;
      return findings.map((finding) => `${describe(report.file, finding)}\n`).join('');
    },
    end(outcome) {
      const hint =
        shown > 0 ? colors.dim('Explain a rule: msgsite validate-screen --explain RULE') : '';
      const folded = folding.counts();
      const isFolded = folded.warnings + folded.infos > 0;
      const rules = tally.rules();
      const table = needsTable(rules, isFolded) ? [...ruleTable(rules), ''] : [];
      const more = isFolded
        ? `Not shown one by one: ${describeKinds(folded)}. --all shows them.`
        : '';
      const fixable =
        tally.fixable > 0
          ? `${plural(tally.fixable, 'finding')} can be mended: --fix does it.`
          : '';
      return [...table, verdict(outcome, colors), more, fixable, hint]
        .filter((line, index) => line !== '' || index < table.length)
        .map((line) => `${line}\n`)
        .join('');
    },
  };
  return harmless(reporter, breakCommands);
}

function verdict(outcome: Outcome, colors: PrettyOptions['colors']): string {
  const counts = describeCounts(outcome);
  if (outcome.errors > 0) return colors.red(`✖ ${counts}`);
  const tooMany = tooManyWarnings(outcome);
  if (tooMany) return `${colors.red(`✖ ${counts}`)}\n${tooMany}`;
  if (outcome.warnings > 0) return colors.yellow(`! ${counts}`);
  return colors.green(`✔ ${counts}`);
}

/** Findings from which on a table by rule says more than the list above it. */
const fewest = 10;

/** Whether so many findings are summed up by rule; where some are folded, always. */
function needsTable(rules: readonly RuleCount[], isFolded: boolean): boolean {
  const findings = rules.reduce((sum, { count }) => sum + count, 0);
  return isFolded || (findings > fewest && rules.length > 1);
}

/** A line for each rule, below a heading, in columns: rule, severity, findings, files, and what can be fixed. */
function ruleTable(rules: readonly RuleCount[]): readonly string[] {
  const hasFixable = rules.some(({ fixable }) => fixable > 0);
  const rows = [
    ['rule', 'severity', 'count', 'files', ...(hasFixable ? ['fixable'] : [])],
    ...rules.map(({ rule, severity, count, files, fixable }) => [
      rule,
      severityNames[severity],
      String(count),
      String(files),
      ...(hasFixable ? [fixable > 0 ? String(fixable) : ''] : []),
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

/** What was found of one rule in all files. */
interface RuleCount {
  readonly rule: string;
  readonly severity: Severity;
  readonly count: number;
  /** Files that have it. */
  readonly files: number;
  /** How many of them `--fix` can fix. */
  readonly fixable: number;
}

/** Opens a count of findings; one that is counted, but left out of its report, is of no rule. */
function openTally() {
  const counts = new Map<string, RuleCount & { last: FileReport }>();
  let allFixable = 0;
  const count = (report: FileReport, { rule, severity, count, fixable }: FoldedCount): void => {
    const key = `${severity} ${rule}`;
    const before = counts.get(key);
    allFixable += fixable;
    counts.set(key, {
      rule,
      severity,
      count: (before?.count ?? 0) + count,
      files: (before?.files ?? 0) + (before?.last === report ? 0 : 1),
      fixable: (before?.fixable ?? 0) + fixable,
      last: report,
    });
  };
  return {
    add(report: FileReport): void {
      for (const { rule, severity, fix } of report.findings) {
        count(report, { rule, severity, count: 1, fixable: fix === undefined ? 0 : 1 });
      }
      for (const folded of report.folded ?? []) count(report, folded);
    },
    /** Errors first, then the most frequent ones. */
    rules: (): readonly RuleCount[] =>
      [...counts.values()]
        .map(({ last: _, ...count }) => count)
        .sort(
          (a, b) =>
            severityRank(a.severity) - severityRank(b.severity) ||
            b.count - a.count ||
            (a.rule < b.rule ? -1 : 1),
        ),
    get fixable() {
      return allFixable;
    },
  };
}
