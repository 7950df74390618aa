import { fileURLToPath } from 'node:url';
import type { Diagnostics } from 'recheck';
import { expect, test } from 'vitest';
import { type FoundExpression, findExpressions } from '../helpers/regular-expressions.js';

// As a program of its own where npm has one for this platform, which takes a third of the time that it takes as a script.
process.env.RECHECK_BACKEND = 'auto';
const { check } = await import('recheck');

const root = fileURLToPath(new URL('../..', import.meta.url));
const { expressions, computed } = findExpressions(root);

/** Those that no text from outside reaches at length, each with the reason. */
const harmless: Readonly<Record<string, string>> = {
  '\\B(?=(\\d{3})+$)': 'groups the digits of one number, 25 at most (src/terminal/formats.ts)',
};

/** What is put together at run time, and why that is linear. */
const reviewed: Readonly<Record<string, string>> = {
  "new RegExp(pattern, 'u')": 'the pattern of a query parameter, which is among the expressions',
  "new RegExp(invisible().source, 'u')": 'one of the expressions, without its flag g',
  'new RegExp(money)': 'words without repetition',
  "new RegExp(`[${Object.keys(bases).join('')}]`, 'gu')": 'one letter of a list',
  "new RegExp(`[${Object.keys(others).join('')}]`, 'gu')": 'one letter of a list',
  "new RegExp(`^\\\\s*(?:\\\\p{RGI_Emoji}\\\\s*){1,${most}}$`, 'v')":
    'an emoji and a blank have nothing in common, and there are eight at most',
  'new RegExp(`(?<![${letter}0-9_])(?:${source})(?![${letter}0-9_])`)':
    'begins at beginnings of words only, and goes on over two words at most; recheck calls each of them safe, in 60 s',
};

/** Milliseconds for one expression; the slowest takes 1.3 s on a quiet machine. */
const longestCheck = 120_000;

/** Rounds in which recheck tries texts where it proves nothing; MSGSITE_TEST_EXPRESSION_ROUNDS=10 is its own measure. */
const rounds = Number(process.env.MSGSITE_TEST_EXPRESSION_ROUNDS ?? 0);

/** One round of a few texts each in the usual run: most of the time went into growing many. */
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

/** The attack's text with everything that it repeats repeated `count` times. */
function textOf({ pumps, suffix }: Vulnerable['attack'], count: number): string {
  return pumps.map(({ prefix, pump }) => prefix + pump.repeat(count)).join('') + suffix;
}

/** The least of some times that the processor takes: on a busy machine the same work takes up to thrice as long. */
function timeOf(expression: RegExp, text: string, tries: number): number {
  const times = Array.from({ length: tries }, () => {
    const started = process.cpuUsage();
    expression.exec(text);
    const { user, system } = process.cpuUsage(started);
    return user + system;
  });
  return Math.min(...times);
}

/** Whether sixteen times the text takes more than sixteen times the time by far (the square is 256). */
function growsTooMuch(expression: RegExp, attack: Vulnerable['attack']): boolean {
  const short = timeOf(expression, textOf(attack, 2_000), 10);
  const long = timeOf(expression, textOf(attack, 32_000), 2);
  return long > 64 * short;
}

/** Whether it looks at so many characters at most, from wherever it begins: nothing repeats without a bound. */
function isBounded(source: string): boolean {
  const frame = source.replace(/\\./g, '').replace(/\[[^\]]*\]/g, '');
  return !/[*+]|\{\d+,\}/.test(frame);
}

/**
 * Whether it begins at the beginning only and one character of it repeats, not within anything that repeats: each
 * length of that is tried once, which needs no proof that takes seconds.
 */
function repeatsOnce(source: string, flags: string): boolean {
  if (flags.includes('m') || /\\[1-9k]|\(\?[^:]/.test(source)) return false;
  const frame = source.replace(/\[(?:\\.|[^\]\\])*\]|\\[pPux]\{[^}]*\}|\\./g, 'x');
  let within = frame;
  // Groups from the innermost on: what is left has no choice between expressions that begin elsewhere.
  for (let last = ''; last !== within; ) {
    last = within;
    within = within.replace(/\((?:\?:)?[^()]*\)/g, 'x');
  }
  const repeated = frame.match(/.(?:[*+]|\{\d+,\})/g) ?? [];
  const isOne = repeated.length === 1 && !repeated[0]?.startsWith(')');
  return isOne && frame.startsWith('^') && !within.includes('|') && !/\)\{/.test(frame);
}

/** A text that an expression takes superlinear time for, or undefined where there is none. */
async function attackOn({
  source,
  flags,
}: Pick<FoundExpression, 'source' | 'flags'>): Promise<string | undefined> {
  if (isBounded(source) || repeatsOnce(source, flags)) return undefined;
  const result = await check(source, flags, { timeout: longestCheck, ...effort });
  if (result.status === 'safe') return undefined;
  if (result.status !== 'vulnerable') return result.status;
  // Where recheck has tried texts instead of proving it, what it finds depends on how much time it had.
  const isGuess = result.checker === 'fuzz';
  if (isGuess && !growsTooMuch(new RegExp(source, flags), result.attack)) return undefined;
  return result.attack.pattern;
}

test('the expressions of the program are found', () => {
  expect(expressions.length).toBeGreaterThan(200);
});

test.each([
  ['^Bearer +(\\S.*?) *$', 'i'],
  ['\\s+$', ''],
  ['^(?:a*){2,9}b', ''],
  ['^(?:a|b+)+c', ''],
  ['^a|b*c', ''],
  ['^(?!b)a*a*b$', ''],
])('texts are found that /%s/%s takes too long for', async (source, flags) => {
  expect(await attackOn({ source, flags })).toBeDefined();
});

test('every expression takes time in proportion to its text, whatever the text', async () => {
  const distinct = new Map(expressions.map((each) => [`/${each.source}/${each.flags}`, each]));
  const judged = [...distinct.values()].filter(({ source }) => harmless[source] === undefined);
  const found: (FoundExpression & { readonly attack: string })[] = [];
  for (const expression of judged) {
    const attack = await attackOn(expression);
    if (attack !== undefined) found.push({ ...expression, attack });
  }
  expect(found).toEqual([]);
}, 300_000);

test('expressions put together at run time have been looked at', () => {
  expect(computed.filter(({ call }) => reviewed[call] === undefined)).toEqual([]);
});

test('no exception is kept that nothing needs any more', () => {
  const sources = new Set(expressions.map(({ source }) => source));
  const calls = new Set(computed.map(({ call }) => call));
  expect(Object.keys(harmless).filter((source) => !sources.has(source))).toEqual([]);
  expect(Object.keys(reviewed).filter((call) => !calls.has(call))).toEqual([]);
});
