// Checks the words of the sources, of the documentation and of new commits against the table in CONTRIBUTING.md.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Maximum length of a commit's subject, in characters. */
const maxSubjectLength = 72;

const never = [...tableRows()].map((words) => [words, patternOf(words)]);
if (never.length === 0) throw new Error('CONTRIBUTING.md has no table "never | instead"');
const opening = /^\s*(?:\/\*\*|\*) (?:What|Whether|Who|Whom)\b/;
const title = /^\s*(?:it|test|describe)(?:\.\w+)*\(\s*(['"`])(.+)\1/;

const files = globSync(
  [
    '{src,commands,bin,scripts,schemas,docs,deploy,bench}/**/*.{ts,tsx,mjs,js,sql,css,json,html,md}',
    // The other files in this folder are generated.
    'public/*.html',
    '!**/node_modules',
    '*.md',
    '!CONTRIBUTING.md',
    // Databases store the checksum of this file, including its comments.
    '!src/**/schema.sql',
  ],
  { cwd: root },
);
const tests = globSync('test/**/*.test.{ts,tsx}', { cwd: root });
const faults = [
  ...files.flatMap((file) => faultsIn(file, (line) => line)),
  ...tests.flatMap((file) => faultsIn(file, (line) => title.exec(line)?.[2])),
  ...subjectFaults(),
];
console.log(
  [...faults, `${files.length + tests.length} files read, ${faults.length} faults`].join('\n'),
);
process.exitCode = faults.length > 0 ? 1 : 0;

/** Returns the faults of a file; `select` returns the part of a line to check. */
function faultsIn(file, select) {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  return lines.flatMap((line, index) => {
    const text = select(line);
    if (text === undefined) return [];
    const found = never.filter(([, pattern]) => pattern.test(text)).map(([words]) => `"${words}"`);
    if (opening.test(text)) found.push('a comment that does not begin with a verb');
    return found.map((fault) => `${file}:${index + 1}: ${fault}`);
  });
}

/** Yields the words in the first column of the table, each cell split at its commas. */
function* tableRows() {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const table = text.slice(text.indexOf('| never | instead |')).split('\n\n')[0];
  for (const row of table.split('\n').slice(2)) yield* row.split('|')[1].trim().split(', ');
}

/** Returns a pattern for words of the table. `X` stands for any word, except in phrases such as "is no longer". */
function patternOf(words) {
  const escaped = words.replaceAll('`', '').replace(/[.*+?^${}()[\]\\]/g, '\\$&');
  const source = escaped.replace(/\bX\b/, '(?!more\\b|less\\b|such\\b|[a-z]+er\\b)[a-z]+');
  return new RegExp(`(?<!\\bthere )\\b${source}\\b`, 'i');
}

/** Yields the faults of commits that are not on the main branch, or not upstream. */
function* subjectFaults() {
  const since = ['origin/main', 'main'].find((name) => git('rev-parse', '--verify', '-q', name));
  if (!since) return;
  for (const subject of git('log', '--format=%s', `${since}..HEAD`).split('\n')) {
    if (subject.length > maxSubjectLength) {
      yield `The subject of a commit has more than ${maxSubjectLength} characters: ${subject}`;
    }
  }
}

/** Returns the output of a Git command, or '' if it fails (outside a repository). */
function git(...args) {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return '';
  }
}
