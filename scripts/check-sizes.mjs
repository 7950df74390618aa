// Checks that no file of src, commands and bin is too long, and that no small file serves a single other one.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Lines of code of a file, without blank lines and comments. */
const mostLines = 300;

/** A file of fewer lines that a single file imports belongs into that one. */
const fewestLines = 40;

/** Small files with a single importer that stay on their own, and why. */
const apart = [
  [
    /^commands\/(?:\w+\/index|servers|screens)\.ts$/,
    'loaded by import(), as one chunk of the bundle',
  ],
  [/^commands\/\w+\/[\w-]+\.ts$/, 'a command has a file of its own, named after it'],
  [/\/store-\w+\/transfer\.ts$/, 'every feature has its records for exports there'],
  [/\/reporters\/\w+\.ts$/, 'one of several formats of a report'],
  [/\/lines\/checksum\.ts$/, 'pure arithmetic with a test of its own'],
  [/^src\/screens\/page\//, 'the script of a rendered page is bundled in the order of these files'],
  [/^src\/orders\/pages\//, 'forms and dialogs, each with a test of its own'],
  [/^src\/orders\/retention\.ts$/, 'a rule of the feature that only src/app runs'],
  [/^src\/events\/outbox\.ts$/, 'it belongs to events, which import nothing of webhooks'],
];

const files = globSync(['{src,commands,bin}/**/*.{ts,tsx,mts}', '!src/pages', '!**/*.d.ts'], {
  cwd: root,
});
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const faults = [...files.flatMap(faultsOf), ...idleReasons()];
console.log([...faults, `${files.length} files measured, ${faults.length} faults`].join('\n'));
process.exitCode = faults.length > 0 ? 1 : 0;

function faultsOf(file) {
  const lines = codeLines(texts.get(file));
  if (lines > mostLines) return [`${file} has ${lines} lines of code: ${mostLines} are allowed`];
  if (lines >= fewestLines) return [];
  if (apart.some(([pattern]) => pattern.test(file))) return [];
  const importers = files.filter((other) => imports(other, file));
  return importers.length === 1
    ? [
        `${file} has ${lines} lines: move it into ${importers[0]}, or list it in scripts/check-sizes.mjs`,
      ]
    : [];
}

function imports(other, file) {
  const names = texts.get(other).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
  return [...names].some(([, name]) => {
    const path = join(dirname(other), name).replace(/\.(m?)js$/, '.$1ts');
    return path === file || `${path}x` === file;
  });
}

function* idleReasons() {
  for (const [pattern] of apart) {
    if (!files.some((file) => pattern.test(file))) yield `Nothing matches ${pattern}`;
  }
}

function codeLines(text) {
  const code = text.replace(/^\s*\/\*[\s\S]*?\*\/\s*$/gm, '');
  return code.split('\n').filter((line) => !/^\s*(?:\/\/.*)?$/.test(line)).length;
}
