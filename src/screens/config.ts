import { contractRules } from './contract-rules.js';
import type { FileReport, Finding, Severity } from './findings.js';
import { isObject } from './pointers.js';
import { allRules } from './rules/all-rules.js';
import { didYouMean } from './suggest.js';

/** A finding that is known and accepted. Without a file it holds in every file. */
export interface Suppression {
  readonly rule: string;
  /** JSON Pointer; everything below it is meant too. Without one it holds everywhere. */
  readonly path?: string;
  /** As reported: relative to the folder of the configuration, with forward slashes. */
  readonly file?: string;
}

/** What `.msgsite-screens.json` says. */
export interface ScreensConfig {
  readonly severities: Readonly<Record<string, Severity | 'off'>>;
  readonly ignore: readonly Suppression[];
  readonly baseline: readonly Suppression[];
}

/** A configuration, or everything that is wrong with it. */
export type ReadConfig =
  | { readonly config: ScreensConfig }
  | { readonly faults: readonly { readonly path: string; readonly message: string }[] };

const levels = ['off', 'info', 'warning', 'error'] as const;

/** Checks a parsed configuration and reports every fault at once. */
export function readConfig(value: unknown): ReadConfig {
  const faults: { path: string; message: string }[] = [];
  const fault = (path: string, message: string): void => {
    faults.push({ path, message });
  };
  if (!isObject(value))
    return { faults: [{ path: '', message: 'The configuration is an object.' }] };
  const { rules = {}, ignore = [], baseline = [], ...others } = value;
  for (const name of Object.keys(others)) {
    if (name === '$schema') continue;
    fault(`/${name}`, `Unknown property.${didYouMean(name, ['rules', 'ignore', 'baseline'])}`);
  }
  const config = {
    severities: readSeverities(rules, fault),
    ignore: readSuppressions(ignore, '/ignore', fault),
    baseline: readSuppressions(baseline, '/baseline', fault),
  };
  return faults.length > 0 ? { faults } : { config };
}

type Fault = (path: string, message: string) => void;

function readSeverities(value: unknown, fault: Fault): ScreensConfig['severities'] {
  if (!isObject(value)) {
    fault('/rules', 'rules is an object of rule ids and severities.');
    return {};
  }
  const severities: [string, Severity | 'off'][] = [];
  for (const [id, wanted] of Object.entries(value)) {
    const level = levels.find((name) => name === wanted);
    const problem = ruleProblem(id);
    if (problem) fault(`/rules/${id}`, problem);
    else if (level === undefined) fault(`/rules/${id}`, `A severity is ${levels.join(', ')}.`);
    else severities.push([id, level]);
  }
  return Object.fromEntries(severities);
}

function readSuppressions(value: unknown, path: string, fault: Fault): readonly Suppression[] {
  if (!Array.isArray(value)) {
    fault(path, 'This is a list of {"rule", "path", "file"}.');
    return [];
  }
  return value.flatMap((entry: unknown, index) => {
    const at = `${path}/${index}`;
    if (!isObject(entry) || typeof entry.rule !== 'string') {
      fault(at, 'An entry is an object with at least a rule.');
      return [];
    }
    const problem = ruleProblem(entry.rule);
    if (problem) fault(`${at}/rule`, problem);
    const texts = ['path', 'file'].filter(
      (name) => name in entry && typeof entry[name] !== 'string',
    );
    for (const name of texts) fault(`${at}/${name}`, `${name} is a string.`);
    return [
      {
        rule: entry.rule,
        ...(typeof entry.path === 'string' ? { path: entry.path } : {}),
        ...(typeof entry.file === 'string' ? { file: entry.file } : {}),
      },
    ];
  });
}

/** Why a rule cannot be configured, or nothing. */
function ruleProblem(id: string): string {
  if (allRules.some((rule) => rule.id === id)) return '';
  if (contractRules.some((rule) => rule.id === id)) {
    return `"${id}" is a rule of the contract: it is always an error and cannot be changed.`;
  }
  const hint = didYouMean(
    id,
    allRules.map((rule) => rule.id),
  );
  return `There is no rule "${id}".${hint}`;
}

/** Leaves out the findings that are accepted. Errors of the contract never are. */
export function suppress(report: FileReport, accepted: readonly Suppression[]): FileReport {
  if (accepted.length === 0) return report;
  const findings = report.findings.filter(
    (finding) =>
      isContractError(finding) || !accepted.some((entry) => matches(entry, report.file, finding)),
  );
  return { ...report, findings };
}

function isContractError({ rule }: Finding): boolean {
  return contractRules.some(({ id }) => id === rule);
}

function matches({ rule, path, file }: Suppression, reported: string, finding: Finding): boolean {
  if (rule !== finding.rule || (file !== undefined && file !== reported)) return false;
  return path === undefined || path === finding.path || finding.path.startsWith(`${path}/`);
}

/** The baseline after a run: what it found, and what was known of files that it did not check. */
export function nextBaseline(
  before: readonly Suppression[],
  reports: readonly FileReport[],
): readonly Suppression[] {
  const checked = new Set(reports.map(({ file }) => file));
  const kept = before.filter(({ file }) => file === undefined || !checked.has(file));
  const found = reports.flatMap(({ file, findings }) =>
    findings
      .filter((finding) => !isContractError(finding))
      .map(({ rule, path }) => ({ file, rule, path })),
  );
  return [...kept, ...found].sort((a, b) => sortKey(a).localeCompare(sortKey(b), 'en'));
}

function sortKey({ file = '', rule, path = '' }: Suppression): string {
  return [file, rule, path].join('\n');
}
