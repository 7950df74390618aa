import { checkContract } from './contract.js';
import { findInText } from './find-in-text.js';
import type { Finding, Problem } from './findings.js';
import { createLineIndex } from './lines.js';
import type { Locator, PlacedProblem } from './locate.js';
import { parseText } from './parse.js';
import { readablePath } from './readable-path.js';
import { type LintOptions, lint } from './rules/lint.js';

/**
 * Checks one definition: JSON, duplicate keys, the contract, then the lint rules (also where the
 * contract is broken, as far as they can judge). Gives the findings by line and column.
 */
export async function checkScreen(text: string, options: LintOptions): Promise<readonly Finding[]> {
  const parsed = parseText(text);
  if (parsed.ok && !parsed.duplicates) {
    const problems = checkData(parsed.data, options);
    if (problems.length === 0) return [];
    return place(text, parsed.data, problems, []);
  }
  const { createLocator, findSyntaxError } = await import('./locate.js');
  if (!parsed.ok) return place(text, undefined, [], [findSyntaxError(text, parsed.reason)]);
  const duplicates = createLocator(text).duplicates();
  return place(text, parsed.data, checkData(parsed.data, options), duplicates);
}

function checkData(data: unknown, options: LintOptions): readonly Problem[] {
  return [...checkContract(data), ...lint(data, options)];
}

/** Up to here each place is looked up in the text; a tree of the whole text pays for more. */
const fewPlaces = 24;

async function place(
  text: string,
  data: unknown,
  problems: readonly Problem[],
  placed: readonly PlacedProblem[],
): Promise<readonly Finding[]> {
  const find = await finderFor(text, problems.length);
  const lines = createLineIndex(text);
  const found = [
    ...placed,
    ...problems.map((problem) => ({ problem, range: find(problem.path, problem.atKey) })),
  ];
  const findings = found.map(({ problem, range }) => {
    const position = lines.position(range);
    const where = readablePath(data, problem.path);
    return { ...problem, ...position, place: where, frame: lines.frame(position) };
  });
  return findings.sort((a, b) => a.line - b.line || a.column - b.column);
}

async function finderFor(text: string, places: number): Promise<Locator['find']> {
  if (places <= fewPlaces) return (path, atKey) => findInText(text, path, atKey);
  const { createLocator } = await import('./locate.js');
  return createLocator(text).find;
}
