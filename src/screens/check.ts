import { checkContract } from './contract.js';
import type { Finding, Problem } from './findings.js';
import type { PlacedProblem } from './locate.js';
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

async function place(
  text: string,
  data: unknown,
  problems: readonly Problem[],
  placed: readonly PlacedProblem[],
): Promise<readonly Finding[]> {
  const { createLocator } = await import('./locate.js');
  const locator = createLocator(text);
  const found = [
    ...placed,
    ...problems.map((problem) => ({ problem, range: locator.find(problem.path, problem.atKey) })),
  ];
  const findings = found.map(({ problem, range }) => {
    const position = locator.position(range);
    const place = readablePath(data, problem.path);
    return { ...problem, ...position, place, frame: locator.frame(position) };
  });
  return findings.sort((a, b) => a.line - b.line || a.column - b.column);
}
