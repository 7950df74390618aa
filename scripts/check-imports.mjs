// Checks what the import rules in biome.json cannot express: only src/app opens stores, only pages import pages,
// only a feature's store names its tables, pure files do no I/O through their imports, and every rule applies to
// some file. Also checks that no file is too long, and that no small file is imported by only one other.
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Modules and packages that do I/O. */
const ioModules =
  /^(node:(fs|net|http|https|dns|child_process|worker_threads)\b|koa|@koa|lowdb|ky$|pino$|pg$|ink$|vscode-languageserver\/node$)/;

/** A table in a statement, except tables that belong to no feature. */
const featureTable =
  /\b(?:from|into|join|update|table) msgsite\.(?!(?:migrations|rate_limits|secret_fingerprints|state|transfer|workers)\b)(\w+)/g;

/** Maximum number of lines of code in a file, without blank lines and comments. */
const maxLines = 300;

/** A file with fewer lines and a single importer belongs in the importer. */
const minLines = 40;

/** Small files with a single importer that remain separate, and why. */
const apart = [
  [
    /^commands\/(?:\w+\/index|servers|screens)\.ts$/,
    'loaded by import(), as one chunk of the bundle',
  ],
  [/^commands\/\w+\/[\w-]+\.ts$/, 'every command has its own file'],
  [/\/store-\w+\/transfer\.ts$/, 'every feature exports its records there'],
  [/\/reporters\/\w+\.ts$/, 'one of several formats of a report'],
  [/\/lines\/checksum\.ts$/, 'pure arithmetic with its own test'],
  [/^src\/screens\/page\//, 'the script of a rendered page is bundled in the order of these files'],
  [/^src\/site\/pages\/[\w-]+\.ts$/, 'every page of the shop has its own file'],
  [/^src\/orders\/pages\//, 'forms and dialogs, each with its own test'],
  [/^src\/orders\/order-numbers\.ts$/, 'a rule of the feature that only src/app runs'],
  [/^src\/orders\/fulfillment\.ts$/, 'a pure decision with its own test'],
  [/^src\/events\/outbox\.ts$/, 'it belongs to events, which import nothing of webhooks'],
];

const read = (file) => readFileSync(join(root, file), 'utf8');
const { overrides } = JSON.parse(read('biome.json'));
const sources = globSync(['bin/*.mts', 'commands/**/*.{ts,tsx}', 'src/**/*.{js,ts,tsx}'], {
  cwd: root,
});
const known = new Set(sources);
const importsOf = new Map(sources.map((file) => [file, readImports(file)]));
const faults = [
  ...wrongDirections(),
  ...foreignTables(),
  ...impurities(),
  ...idleRules(),
  ...wrongSizes(),
];
console.log([...faults, `${sources.length} files read, ${faults.length} faults`].join('\n'));
process.exitCode = faults.length > 0 ? 1 : 0;

/** Returns the paths and packages that a file imports, by default without types. */
function readImports(file, exceptTypes = '(?! type)') {
  const pattern = `^(?:import|export)${exceptTypes}\\b[^'";]*?from '([^']+)'|(?:import\\(|^import )'([^']+)'`;
  const found = read(file).matchAll(RegExp(pattern, 'gm'));
  return [...found].map(([, from, name = from]) => {
    if (!name.startsWith('.')) return name;
    const path = relative(root, join(root, dirname(file), name)).replace(/\.js$/, '');
    return [`${path}.ts`, `${path}.tsx`].find((each) => known.has(each)) ?? path;
  });
}

function* wrongDirections() {
  for (const [file, imported] of importsOf) {
    for (const target of imported) {
      const store = /^src\/.+\/store-(?:json|postgres)\//.exec(target)?.[0];
      if (store && !file.startsWith('src/app/') && !file.startsWith(store)) {
        yield `${file} must not open a store: ${target}`;
      }
      if (target.startsWith('src/pages/') && !file.startsWith('src/pages/')) {
        yield `${file} must not import code of the browser: ${target}`;
      }
    }
  }
}

function* foreignTables() {
  const statements = [...sources, ...globSync('src/**/*.sql', { cwd: root })];
  for (const file of statements.filter((each) => !each.includes('/store-postgres/'))) {
    for (const [, table] of read(file).matchAll(featureTable)) {
      yield `${file} must not name a feature's table: ${table}`;
    }
  }
}

function* impurities() {
  const { includes } = overrides.find(({ linter }) => linter.rules.style.noRestrictedGlobals);
  for (const file of globSync(includes, { cwd: root })) {
    const path = pathToIo(file, new Set());
    if (path) yield `${path.join(' -> ')}: a pure file must not do I/O`;
    const [clock] = /\b(Date\.now\(|new Date\(\))/.exec(read(file)) ?? [];
    if (clock) yield `${file}: a pure file must not use ${clock}`;
  }
}

function pathToIo(file, seen) {
  if (ioModules.test(file)) return [file];
  if (seen.has(file)) return undefined;
  seen.add(file);
  for (const imported of importsOf.get(file) ?? []) {
    const path = pathToIo(imported, seen);
    if (path) return [file, ...path];
  }
  return undefined;
}

/** Finds globs of rules, both for files and for forbidden imports, that match nothing. */
function* idleRules() {
  for (const { includes, linter } of overrides) {
    const { patterns = [] } = linter.rules.style.noRestrictedImports?.options ?? {};
    const globs = includes.flatMap(expand).map((glob) => glob.replace(/^!/, ''));
    const forbidden = patterns.flatMap(({ group }) => group).flatMap(expand);
    const folders = forbidden.map((each) => each.replace('**/', '{,src/,src/pages/}'));
    for (const glob of [...globs, ...folders]) {
      if (globSync(expand(glob), { cwd: root }).length === 0) yield `Nothing matches ${glob}`;
    }
  }
}

/** Expands a glob with one list in braces. */
function expand(glob) {
  const [, before, list, after] = /^(.*)\{(.*)\}(.*)$/.exec(glob) ?? [glob, glob, '', ''];
  return list.split(',').map((each) => before + each + after);
}

function* wrongSizes() {
  const measured = sources.filter((file) => !/^src\/pages\/|\.d\.ts$|\.js$/.test(file));
  const importing = new Map(measured.map((file) => [file, readImports(file, '')]));
  for (const file of measured) {
    const lines = codeLines(read(file));
    if (lines > maxLines) yield `${file} has ${lines} lines of code; the maximum is ${maxLines}`;
    if (lines >= minLines || apart.some(([pattern]) => pattern.test(file))) continue;
    const importers = measured.filter((other) => importing.get(other).includes(file));
    if (importers.length === 1) {
      yield `${file} has ${lines} lines: move it into ${importers[0]}, or list it in scripts/check-imports.mjs`;
    }
  }
  for (const [pattern] of apart) {
    if (!measured.some((file) => pattern.test(file))) yield `Nothing matches ${pattern}`;
  }
}

function codeLines(text) {
  const code = text.replace(/^\s*\/\*[\s\S]*?\*\/\s*$/gm, '');
  return code.split('\n').filter((line) => !/^\s*(?:\/\/.*)?$/.test(line)).length;
}
