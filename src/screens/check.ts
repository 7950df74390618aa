import { checkContract } from './contract.js';
import { findInText } from './find-in-text.js';
import type { Finding } from './findings.js';
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
  if (!parsed.ok) {
    const { findSyntaxError } = await import('./locate.js');
    return describe(text, undefined, [findSyntaxError(text, parsed.reason)]);
  }
  const { data, duplicates } = parsed;
  const problems = [...checkContract(data), ...lint(data, options)];
  if (problems.length === 0 && !duplicates) return [];
  const locator = await locatorFor(text, duplicates || problems.length > fewPlaces);
  const placed = problems.map((problem) => ({
    problem,
    range: locator.find(problem.path, problem.atKey),
  }));
  return describe(text, data, [...locator.duplicates(), ...placed]);
}

/** Up to here each place is looked up in the text; a tree of the whole text pays for more. */
const fewPlaces = 24;

async function locatorFor(text: string, byTree: boolean): Promise<Locator> {
  if (!byTree) {
    return { find: (path, atKey) => findInText(text, path, atKey), duplicates: () => [] };
  }
  const { createLocator } = await import('./locate.js');
  return createLocator(text);
}

function describe(
  text: string,
  data: unknown,
  placed: readonly PlacedProblem[],
): readonly Finding[] {
  const lines = createLineIndex(text);
  const findings = placed.map(({ problem, range }) => {
    const position = lines.position(range);
    const place = readablePath(data, problem.path);
    return { ...problem, ...position, place, frame: lines.frame(position) };
  });
  return findings.sort((a, b) => a.line - b.line || a.column - b.column);
}
