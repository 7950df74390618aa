import { findInText, type Range } from '../../json/find-in-text.js';
import { createLineIndex } from '../../json/lines.js';
import { isObject, parsePointer, valueAt } from '../../json/pointers.js';
import { findDuplicateKeys, parseText } from '../../json/strict-parse.js';
import { findSyntaxFault } from '../../json/syntax-fault.js';
import { identityOf } from '../findings/accepted.js';
import {
  byPlace,
  bySeverity,
  type FileReport,
  type Finding,
  omittedOf,
  type Problem,
  suggestionsOf,
} from '../findings/finding.js';
import { type AddProblem, type Folding, gatherProblems, mostFindings } from '../findings/gather.js';
import { type LintOptions, lint } from '../rules/lint.js';
import { beginning, excerpt, quote } from '../text/quote.js';
import { checkContract } from './contract.js';
import { noTimings, timed, timedRules } from './timings.js';

/** What was found in one text. */
export type CheckedText = Pick<
  FileReport,
  'findings' | 'folded' | 'counts' | 'accepted' | 'timings'
>;

/** What is known of a text besides. */
export interface TextSubject {
  /** What accepted findings are known by. */
  readonly file?: string;
  /** Shows the findings of all files before this one; this file's are handed to it. */
  readonly folding?: Folding | undefined;
}

/**
 * Checks one definition: JSON, duplicate keys, the contract, then the lint rules (also where the
 * contract is broken, as far as they can judge). Findings that `folding` does not show are only counted.
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
    const findings = describe(text, undefined, [{ ...rule, path: '', message, range }], {
      ...options,
      unique: true,
    });
    return { findings, counts: { errors: 1, warnings: 0, infos: 0 } };
  }
  const { data, duplicates } = parsed;
  const most = options.most ?? mostFindings;
  let accepted: CheckedText['accepted'];
  const { problems, folded, counts } = gatherProblems(
    (add) => {
      if (duplicates) checkDuplicateKeys(text, add, most);
      const isValid = timed(timings, 'contract', () => checkContract(data, add));
      const known = { file, text, measure: timedRules(timings), isValid };
      accepted = timed(timings, 'rules', () => lint(data, options, add, known));
    },
    { most, folding },
  );
  const ways = { ...options, unique: !duplicates };
  const findings =
    problems.length === 0
      ? []
      : timed(timings, 'findings', () => describe(text, data, problems, ways));
  const whole = omittedOf({ counts, findings, folded }) === 0;
  const sorted = [...findings].sort(whole ? byPlace : bySeverity);
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
  { unique, identify, suggestions = true }: LintOptions & { readonly unique: boolean },
): readonly Finding[] {
  const lines = createLineIndex(text);
  const ranges = placesOf(text, problems, unique);
  return problems.map((problem, index) => {
    const { rule, severity, path, message, atKey = false, fix } = problem;
    const likely = suggestions ? suggestionsOf(problem) : [];
    const position = lines.position(ranges[index] ?? { offset: 0, length: 1 });
    const place = readablePath(data, path);
    const frame = lines.frame(position);
    return {
      ...{ rule, severity, path, message, atKey, ...position, place, frame },
      ...(fix && { fix }),
      ...(likely.length > 0 && { suggestions: likely }),
      ...(identify && { identity: identityOf(data, problem) }),
    };
  });
}

function placesOf(
  text: string,
  problems: readonly Problem[],
  unique: boolean,
): readonly (Range | undefined)[] {
  const unplaced = problems.filter(({ range }) => range === undefined);
  const found = unplaced.length > 0 ? findInText(text, unplaced, unique) : [];
  let next = 0;
  return problems.map(({ range }) => range ?? found[next++]);
}

/**
 * Every key that its object has already named, in a text that is known to be JSON. At most `most` of them
 * are described: a place is written while it is found.
 */
function checkDuplicateKeys(text: string, add: AddProblem, most: number): void {
  const lines = createLineIndex(text);
  let described = 0;
  findDuplicateKeys(text, ({ name, range, first, path }) => {
    if (described++ >= most) return add('error', neverShown);
    const { line } = lines.position({ offset: first, length: 1 });
    const message = `The object already has a key ${quote(name)}, on line ${line}; only the last one counts.`;
    const rule = { rule: 'duplicate-key', severity: 'error' } as const;
    const problem: Problem = { ...rule, path: path(), message, range };
    add('error', () => problem);
  });
}

function neverShown(): never {
  throw new Error('More findings are described than are shown.');
}

/** What an item of a list is called, in the order of preference. */
const names = ['label', 'title', 'name', 'key', 'heading', 'headline', 'id', 'text'];

/**
 * A JSON Pointer for people: `table.rows[3 "DG-2041"].status`. List items are numbered from 0, as in
 * the pointer, and named where something names them; rows by the drawer's title or the first column.
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
  // Of a long text only the beginning is shown, and one that begins with a page of spaces is no name.
  return typeof value === 'string' && beginning(value, 30).trim() !== '' ? value : undefined;
}
