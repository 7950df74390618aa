import { findInText, type Range } from '../../json/find-in-text.js';
import { createLineIndex } from '../../json/lines.js';
import { isObject, parsePointer, valueAt } from '../../json/pointers.js';
import { findDuplicateKeys, parseText } from '../../json/strict-parse.js';
import { findSyntaxFault } from '../../json/syntax-fault.js';
import { identityOf } from '../findings/accepted.js';
import {
  byLocation,
  bySeverity,
  type FileReport,
  type Finding,
  omittedOf,
  type Problem,
  suggestionsOf,
} from '../findings/finding.js';
import { type AddProblem, type Folding, gatherProblems, maxFindings } from '../findings/gather.js';
import { type LintOptions, lint } from '../rules/lint.js';
import { beginning, excerpt, quote } from '../text/quote.js';
import { checkContract } from './contract.js';
import { noTimings, timed, timedRules } from './timings.js';

/** The findings in one text. */
export type CheckedText = Pick<
  FileReport,
  'findings' | 'folded' | 'counts' | 'accepted' | 'timings'
>;

/** The context of a text. */
export interface TextSubject {
  /** The file name that accepted findings refer to. */
  readonly file?: string;
  /** The folding of the run. The findings of this file are added to it. */
  readonly folding?: Folding | undefined;
}

/**
 * Checks a definition for valid JSON, duplicate keys, the contract and the lint rules, which run even if the contract
 * is violated. Findings that `folding` does not show are only counted.
 */
export function checkScreen(
  text: string,
  options: LintOptions,
  { file = '', folding }: TextSubject = {},
): CheckedText {
  const timings = options.timed ? noTimings() : undefined;
  const parsed = timed(timings, 'parsing', () => parseText(text));
  if (!parsed.ok) {
    const { message, ...range } = findSyntaxFault(text, parsed.reason);
    const rule = { rule: 'json-syntax', severity: 'error' } as const;
    const findings = describe(text, undefined, [{ ...rule, path: '', message, range }], options);
    return { findings, counts: { errors: 1, warnings: 0, infos: 0 } };
  }
  const { data, duplicates } = parsed;
  const max = options.max ?? maxFindings;
  let accepted: CheckedText['accepted'];
  const { problems, folded, counts } = gatherProblems(
    (add) => {
      if (duplicates) checkDuplicateKeys(text, add, max);
      timed(timings, 'contract', () => checkContract(data, add));
      const subject = { file, text, measure: timedRules(timings) };
      accepted = timed(timings, 'rules', () => lint(data, options, add, subject));
    },
    { max, folding },
  );
  const findings =
    problems.length === 0
      ? []
      : timed(timings, 'findings', () => describe(text, data, problems, options));
  const whole = omittedOf({ counts, findings, folded }) === 0;
  const sorted = [...findings].sort(whole ? byLocation : bySeverity);
  for (const finding of sorted) folding?.shows(finding);
  return {
    ...{ findings: sorted, counts },
    ...(folded.length > 0 && { folded }),
    ...(accepted && { accepted }),
    ...(timings && { timings }),
  };
}

function describe(
  text: string,
  data: unknown,
  problems: readonly Problem[],
  { suggestions = true }: LintOptions,
): readonly Finding[] {
  const lines = createLineIndex(text);
  const ranges = rangesOf(text, problems);
  return problems.map((problem, index) => {
    const { rule, severity, path, message, atKey = false, fix } = problem;
    const likely = suggestions ? suggestionsOf(problem) : [];
    const position = lines.position(ranges[index] ?? { offset: 0, length: 1 });
    const location = readablePath(data, path);
    const frame = lines.frame(position);
    return {
      ...{ rule, severity, path, message, atKey, ...position, location, frame },
      ...(fix && { fix }),
      ...(likely.length > 0 && { suggestions: likely }),
      identity: identityOf(data, problem),
    };
  });
}

function rangesOf(text: string, problems: readonly Problem[]): readonly (Range | undefined)[] {
  const unplaced = problems.filter(({ range }) => range === undefined);
  const found = unplaced.length > 0 ? findInText(text, unplaced) : [];
  let next = 0;
  return problems.map(({ range }) => range ?? found[next++]);
}

/** Reports every duplicate key in valid JSON text. At most `max` of them have a description. */
function checkDuplicateKeys(text: string, add: AddProblem, max: number): void {
  const lines = createLineIndex(text);
  let described = 0;
  findDuplicateKeys(text, ({ name, range, first, path }) => {
    if (described++ >= max) return add('error', neverShown);
    const { line } = lines.position({ offset: first, length: 1 });
    const message = `The object already has the key ${quote(name)} on line ${line}. Only the last value is used.`;
    const rule = { rule: 'duplicate-key', severity: 'error' } as const;
    const problem: Problem = { ...rule, path: path(), message, range };
    add('error', () => problem);
  });
}

function neverShown(): never {
  throw new Error('An omitted finding was described.');
}

/** Properties that name an item of a list, in order of preference. */
const names = ['label', 'title', 'name', 'key', 'heading', 'headline', 'id', 'text'];

/**
 * Converts a JSON Pointer to a readable path: `table.rows[3 "DG-2041"].status`. Items have their index and, if one
 * exists, a name. The name of a row is in the drawer's title field or the first column.
 */
function readablePath(root: unknown, path: string): string {
  let result = '';
  let value = root;
  const steps = parsePointer(path);
  for (const [index, step] of steps.entries()) {
    const inList = Array.isArray(value);
    value = valueAt(value, [step]);
    if (inList) {
      const isRow = index === 2 && steps[0] === 'table' && steps[1] === 'rows';
      const name = isRow ? rowName(root, value) : itemName(value);
      result += name === undefined ? `[${step}]` : `[${step} "${excerpt(name, 30)}"]`;
    } else {
      result += `${result === '' ? '' : '.'}${excerpt(step, 100)}`;
    }
  }
  return result === '' ? 'the whole definition' : result;
}

function rowName(root: unknown, row: unknown): string | undefined {
  const key =
    valueAt(root, ['drawer', 'titleKey']) ?? valueAt(root, ['table', 'columns', '0', 'key']);
  const cell = typeof key === 'string' ? nameOf(valueAt(row, [key])) : undefined;
  return cell ?? nameOf(valueAt(row, ['id']));
}

function itemName(item: unknown): string | undefined {
  if (!isObject(item)) return undefined;
  return names.map((name) => nameOf(valueAt(item, [name]))).find((name) => name !== undefined);
}

function nameOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  // Only the beginning of a long text is shown. Blank text is not a name.
  return typeof value === 'string' && beginning(value, 30).trim() !== '' ? value : undefined;
}
