import { fileURLToPath } from 'node:url';
import type { Diagnostics } from 'recheck';
import { expect, test } from 'vitest';
import { type FoundExpression, findExpressions } from '../helpers/regular-expressions.js';

// Uses the native program if npm has one for this platform. It takes a third of the time of the script.
process.env.RECHECK_BACKEND = 'auto';
const { check } = await import('recheck');

const root = fileURLToPath(new URL('../..', import.meta.url));
const { expressions, computed } = findExpressions(root);

/** Expressions that never process a long text from outside, each with the reason. */
const harmless: Readonly<Record<string, string>> = {
  '\\B(?=(\\d{3})+$)': 'groups the digits of one number, 25 at most (src/terminal/formats.ts)',
};

/** Expressions that are created at run time, each with the reason why it is linear. */
const reviewed: Readonly<Record<string, string>> = {
  "new RegExp(pattern, 'u')": 'the pattern of a query parameter, which is among the expressions',
  "new RegExp(invisible().source, 'u')": 'one of the expressions, without its flag g',
  'new RegExp(money)': 'words without repetition',
  "new RegExp(`${word}|(?:\\\\s${attached})+|.${attached}`, 'gsu')":
    'nothing follows its repetitions, so it does not backtrack',
  "new RegExp(`[${Object.keys(bases).join('')}]`, 'gu')": 'one letter of a list',
  "new RegExp(`[${Object.keys(others).join('')}]`, 'gu')": 'one letter of a list',
  "new RegExp(`^\\\\s*(?:\\\\p{RGI_Emoji}\\\\s*){1,${max}}$`, 'v')":
    'an emoji and a space have nothing in common, and there are at most eight',
  'new RegExp(`(?<![${letter}0-9_])(?:${source})(?![${letter}0-9_])`)':
    'starts only at the beginning of a word and spans at most two words; recheck reports each of them as safe, in 60 s',
};

/** Maximum time for one expression, in milliseconds. The slowest one takes 1.3 s on an idle machine. */
const maxCheck = 120_000;

/** Number of rounds in which recheck fuzzes an expression that it cannot analyse. The default of recheck is 10. */
const rounds = Number(process.env.MSGSITE_TEST_EXPRESSION_ROUNDS ?? 0);

/** By default, recheck runs one round with a few texts, because generating many texts takes most of the time. */
const effort =
  rounds > 0
    ? { maxIteration: rounds }
    : {
        maxIteration: 1,
        maxInitialGenerationSize: 100,
        maxGenerationSize: 30,
        mutationSize: 8,
        crossoverSize: 8,
      };

type Vulnerable = Extract<Diagnostics, { readonly status: 'vulnerable' }>;

/** Returns the text of the attack with each pump repeated `count` times. */
function textOf({ pumps, suffix }: Vulnerable['attack'], count: number): string {
  return pumps.map(({ prefix, pump }) => prefix + pump.repeat(count)).join('') + suffix;
}

/** Returns the minimum CPU time of several attempts, because a busy machine takes up to three times as long. */
function timeOf(expression: RegExp, text: string, tries: number): number {
  const times = Array.from({ length: tries }, () => {
    const started = process.cpuUsage();
    expression.exec(text);
    const { user, system } = process.cpuUsage(started);
    return user + system;
  });
  return Math.min(...times);
}

/** Returns true if a text 16 times as long takes far more than 16 times as long (quadratic is 256). */
function growsTooMuch(expression: RegExp, attack: Vulnerable['attack']): boolean {
  const short = timeOf(expression, textOf(attack, 2_000), 10);
  const long = timeOf(expression, textOf(attack, 32_000), 2);
  return long > 64 * short;
}

/** Returns true if no repetition in the expression is unlimited. */
function isBounded(source: string): boolean {
  const frame = source.replace(/\\./g, '').replace(/\[[^\]]*\]/g, '');
  return !/[*+]|\{\d+,\}/.test(frame);
}

/**
 * Returns true if the expression is anchored at the start and contains exactly one repetition, of a character class.
 * Each length is then attempted once, so a slow analysis is not necessary.
 */
function repeatsOnce(source: string, flags: string): boolean {
  if (flags.includes('m') || /\\[1-9k]|\(\?[^:]/.test(source)) return false;
  const frame = source.replace(/\[(?:\\.|[^\]\\])*\]|\\[pPux]\{[^}]*\}|\\./g, 'x');
  let within = frame;
  // Removes groups, starting with the innermost ones. The rest contains only alternatives outside of groups.
  for (let last = ''; last !== within; ) {
    last = within;
    within = within.replace(/\((?:\?:)?[^()]*\)/g, 'x');
  }
  const repeated = frame.match(/.(?:[*+]|\{\d+,\})/g) ?? [];
  const isOne = repeated.length === 1 && !repeated[0]?.startsWith(')');
  return isOne && frame.startsWith('^') && !within.includes('|') && !/\)\{/.test(frame);
}

/** Returns a text that takes superlinear time, or undefined if there is none. */
async function attackOn({
  source,
  flags,
}: Pick<FoundExpression, 'source' | 'flags'>): Promise<string | undefined> {
  if (isBounded(source) || repeatsOnce(source, flags)) return undefined;
  const result = await check(source, flags, { timeout: maxCheck, ...effort });
  if (result.status === 'safe') return undefined;
  if (result.status !== 'vulnerable') return result.status;
  // If recheck used fuzzing, its result depends on the available time.
  const isGuess = result.checker === 'fuzz';
  if (isGuess && !growsTooMuch(new RegExp(source, flags), result.attack)) return undefined;
  return result.attack.pattern;
}

test('the search finds the regular expressions of the program', () => {
  expect(expressions.length).toBeGreaterThan(200);
});

test.each([
  ['^Bearer +(\\S.*?) *$', 'i'],
  ['\\s+$', ''],
  ['^(?:a*){2,9}b', ''],
  ['^(?:a|b+)+c', ''],
  ['^a|b*c', ''],
  ['^(?!b)a*a*b$', ''],
])('the check finds a text for which /%s/%s takes superlinear time', async (source, flags) => {
  expect(await attackOn({ source, flags })).toBeDefined();
});

test('every regular expression takes linear time for any text', async () => {
  const distinct = new Map(expressions.map((each) => [`/${each.source}/${each.flags}`, each]));
  const judged = [...distinct.values()].filter(({ source }) => harmless[source] === undefined);
  const found: (FoundExpression & { readonly attack: string })[] = [];
  for (const expression of judged) {
    const attack = await attackOn(expression);
    if (attack !== undefined) found.push({ ...expression, attack });
  }
  expect(found).toEqual([]);
}, 300_000);

test('every regular expression that is created at run time has been reviewed', () => {
  expect(computed.filter(({ call }) => reviewed[call] === undefined)).toEqual([]);
});

test('the lists of exceptions contain no unused entry', () => {
  const sources = new Set(expressions.map(({ source }) => source));
  const calls = new Set(computed.map(({ call }) => call));
  expect(Object.keys(harmless).filter((source) => !sources.has(source))).toEqual([]);
  expect(Object.keys(reviewed).filter((call) => !calls.has(call))).toEqual([]);
});
