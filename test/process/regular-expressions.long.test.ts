import { fileURLToPath } from 'node:url';
import type { Diagnostics } from 'recheck';
import { expect, test } from 'vitest';
import { type FoundExpression, findExpressions } from '../helpers/regular-expressions.js';

// Runs as a native program where npm has one for this platform, in a third of the time of the script.
process.env.RECHECK_BACKEND = 'auto';
const { check } = await import('recheck');

const root = fileURLToPath(new URL('../..', import.meta.url));
const { expressions, computed } = findExpressions(root);

/** Expressions that never see a long text from outside, each with the reason. */
const harmless: Readonly<Record<string, string>> = {
  '\\B(?=(\\d{3})+$)': 'groups the digits of one number, 25 at most (src/terminal/formats.ts)',
};

/** Expressions composed at run time, each with the reason why it is linear. */
const reviewed: Readonly<Record<string, string>> = {
  "new RegExp(pattern, 'u')": 'the pattern of a query parameter, which is among the expressions',
  "new RegExp(invisible().source, 'u')": 'one of the expressions, without its flag g',
  'new RegExp(money)': 'words without repetition',
  "new RegExp(`${word}|(?:\\\\s${attached})+|.${attached}`, 'gsu')":
    'nothing follows its repetitions, so it never backtracks',
  "new RegExp(`[${Object.keys(bases).join('')}]`, 'gu')": 'one letter of a list',
  "new RegExp(`[${Object.keys(others).join('')}]`, 'gu')": 'one letter of a list',
  "new RegExp(`^\\\\s*(?:\\\\p{RGI_Emoji}\\\\s*){1,${most}}$`, 'v')":
    'an emoji and a blank have nothing in common, and there are eight at most',
  'new RegExp(`(?<![${letter}0-9_])(?:${source})(?![${letter}0-9_])`)':
    'begins at beginnings of words only, and goes on over two words at most; recheck calls each of them safe, in 60 s',
};

/** Milliseconds for one expression; the slowest takes 1.3 s on a quiet machine. */
const maxCheck = 120_000;

/** Rounds in which recheck fuzzes if it can prove nothing; MSGSITE_TEST_EXPRESSION_ROUNDS=10 is its default. */
const rounds = Number(process.env.MSGSITE_TEST_EXPRESSION_ROUNDS ?? 0);

/** One round of a few texts by default, because growing many texts took most of the time. */
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

/** Returns the shortest CPU time of several tries: a busy machine takes up to three times as long. */
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

/** Returns true if nothing in the expression repeats without a bound. */
function isBounded(source: string): boolean {
  const frame = source.replace(/\\./g, '').replace(/\[[^\]]*\]/g, '');
  return !/[*+]|\{\d+,\}/.test(frame);
}

/**
 * Returns true if the expression is anchored at the start and exactly one character class repeats, outside of
 * any other repetition: each length is tried once, so that no slow proof is needed.
 */
function repeatsOnce(source: string, flags: string): boolean {
  if (flags.includes('m') || /\\[1-9k]|\(\?[^:]/.test(source)) return false;
  const frame = source.replace(/\[(?:\\.|[^\]\\])*\]|\\[pPux]\{[^}]*\}|\\./g, 'x');
  let within = frame;
  // Removes groups from the innermost on: what is left has no alternatives outside of groups.
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
  // If recheck fuzzed instead of proving, its result depends on the time that it had.
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
])('the check finds a text for which /%s/%s takes too long', async (source, flags) => {
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

test('every regular expression composed at run time has been reviewed', () => {
  expect(computed.filter(({ call }) => reviewed[call] === undefined)).toEqual([]);
});

test('the lists of exceptions contain no unused entry', () => {
  const sources = new Set(expressions.map(({ source }) => source));
  const calls = new Set(computed.map(({ call }) => call));
  expect(Object.keys(harmless).filter((source) => !sources.has(source))).toEqual([]);
  expect(Object.keys(reviewed).filter((call) => !calls.has(call))).toEqual([]);
});
