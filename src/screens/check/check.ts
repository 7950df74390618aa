import { findInText, type Range } from '../../json/find-in-text.js';
import { createLineIndex } from '../../json/lines.js';
import { parseText } from '../../json/strict-parse.js';
import { type LintOptions, lint } from '../rules/lint.js';
import { readablePath } from '../text/readable-path.js';
import { checkContract } from './contract.js';
import { checkDuplicateKeys } from './duplicate-keys.js';
import {
  byPlace,
  bySeverity,
  type FileReport,
  type Finding,
  omittedOf,
  type Problem,
} from './findings.js';
import { gatherProblems, mostFindings } from './gather.js';

/** What was found in one text. */
export type CheckedText = Pick<FileReport, 'findings' | 'counts'>;

/**
 * Checks one definition: JSON, duplicate keys, the contract, then the lint rules (also where the
 * contract is broken, as far as they can judge). `file` is what accepted findings are known by.
 */
export async function checkScreen(
  text: string,
  options: LintOptions,
  file = '',
): Promise<CheckedText> {
  const parsed = parseText(text);
  if (!parsed.ok) {
    const { findSyntaxFault } = await import('../../json/syntax-fault.js');
    const { message, ...range } = findSyntaxFault(text, parsed.reason);
    const rule = { rule: 'json-syntax', severity: 'error' } as const;
    const findings = describe(text, undefined, [{ ...rule, path: '', message, range }], true);
    return { findings, counts: { errors: 1, warnings: 0, infos: 0 } };
  }
  const { data, duplicates } = parsed;
  const most = options.most ?? mostFindings;
  const { problems, counts } = gatherProblems((add) => {
    if (duplicates) checkDuplicateKeys(text, add, most);
    checkContract(data, add);
    lint(data, options, add, file);
  }, most);
  const findings = problems.length === 0 ? [] : describe(text, data, problems, !duplicates);
  const whole = omittedOf({ counts, findings }) === 0;
  return { findings: [...findings].sort(whole ? byPlace : bySeverity), counts };
}

function describe(
  text: string,
  data: unknown,
  problems: readonly Problem[],
  unique: boolean,
): readonly Finding[] {
  const lines = createLineIndex(text);
  const ranges = placesOf(text, problems, unique);
  return problems.map(({ range: _, ...problem }, index) => {
    const position = lines.position(ranges[index] ?? { offset: 0, length: 1 });
    const place = readablePath(data, problem.path);
    return { ...problem, ...position, place, frame: lines.frame(position) };
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
