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
  alignColumns,
  harmless,
  type Outcome,
  type Reporter,
  severityNames,
  shownFindings,
  tooManyWarnings,
} from './reporter.js';

/** Adds a colour to a text, if colours are enabled. */
type Style = (text: string) => string;

export interface PrettyOptions {
  readonly colors: Readonly<Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', Style>>;
  /** Width of the terminal, in columns. */
  readonly width: number;
  /** If true, only a few warnings and notes of each rule are shown, and the others are counted. */
  readonly fold?: boolean;
}

/** Writes each finding for people, with its location, message and source line. */
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
    const { severity, rule, message, location, line, column, fix } = finding;
    const style = paint[severity];
    const where = colors.bold(`${file}:${line}:${column}`);
    const hint = fix === undefined ? '' : colors.dim(' (--fix corrects it)');
    const head = `${where} ${style(severityNames[severity])} ${colors.dim(rule)}${hint}`;
    const frame = codeFrame(finding, width).map((frameLine) => lineOf(frameLine, style));
    const words = wrapWords(message, width - 2).map((line) => `  ${line}`);
    return [head, ...words, `  ${colors.dim(`at ${location}`)}`, ...frame, ''].join('\n');
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
        ? `Not shown: ${describeKinds(folded)}. Run with --all to show them.`
        : '';
      const fixable =
        tally.fixable > 0 ? `Run with --fix to fix ${plural(tally.fixable, 'finding')}.` : '';
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

/** Number of findings above which a table by rule follows. */
const maxWithoutTable = 10;

/** Returns true if a table by rule follows, because findings are folded or several rules have many findings. */
function needsTable(rules: readonly RuleCount[], isFolded: boolean): boolean {
  const findings = rules.reduce((sum, { count }) => sum + count, 0);
  return isFolded || (findings > maxWithoutTable && rules.length > 1);
}

/** Returns the lines of a table by rule: rule, severity, findings, files, and fixable findings. */
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
  return alignColumns(rows, 2);
}

/** The findings of one rule in all files. */
interface RuleCount {
  readonly rule: string;
  readonly severity: Severity;
  readonly count: number;
  /** Number of files with such findings. */
  readonly files: number;
  /** Number of these findings that `--fix` can fix. */
  readonly fixable: number;
}

/** Counts findings by rule. Omitted findings are not included. */
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
    /** Returns the counts of all rules: rules with errors first, then the most frequent ones. */
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
