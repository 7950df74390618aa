// Checks what the import rules in biome.json cannot express: that only src/app opens stores and only pages import pages,
// that only a feature's store names its tables, that nothing a pure file imports does I/O, and that every rule applies to something.
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Modules and packages that reach beyond the process. */
const ioModules =
  /^(node:(fs|net|http|https|dns|child_process|worker_threads)\b|koa|@koa|lowdb|ky$|pino$|pg$|ink$|vscode-languageserver\/node$)/;

/** A table in a statement, unless it belongs to no feature. */
const featureTable =
  /\b(?:from|into|join|update|table) msgsite\.(?!(?:migrations|rate_limits|secret_fingerprints|state|transfer|workers)\b)(\w+)/g;

const read = (file) => readFileSync(join(root, file), 'utf8');
const { overrides } = JSON.parse(read('biome.json'));
const sources = globSync(['commands/**/*.{ts,tsx}', 'src/**/*.{js,ts,tsx}'], { cwd: root });
const known = new Set(sources);
const importsOf = new Map(sources.map((file) => [file, readImports(file)]));
const faults = [...wrongDirections(), ...foreignTables(), ...impurities(), ...idleRules()];
console.log([...faults, `${sources.length} files read, ${faults.length} faults`].join('\n'));
process.exitCode = faults.length > 0 ? 1 : 0;

/** Returns what a file imports other than types: paths from the root, and names of packages. */
function readImports(file) {
  const found = read(file).matchAll(
    /^(?:import|export)(?! type)\b[^'";]*?from '([^']+)'|(?:import\(|^import )'([^']+)'/gm,
  );
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
    const way = wayToIo(file, new Set());
    if (way) yield `${way.join(' -> ')}: a pure file must not do I/O`;
    const [clock] = /\b(Date\.now\(|new Date\(\))/.exec(read(file)) ?? [];
    if (clock) yield `${file}: a pure file must not use ${clock}`;
  }
}

function wayToIo(file, seen) {
  if (ioModules.test(file)) return [file];
  if (seen.has(file)) return undefined;
  seen.add(file);
  for (const imported of importsOf.get(file) ?? []) {
    const way = wayToIo(imported, seen);
    if (way) return [file, ...way];
  }
  return undefined;
}

/** Finds globs without files, among the files that a rule is for and among those that it forbids to import. */
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

/** Returns the globs that a glob with one list in braces stands for. */
function expand(glob) {
  const [, before, list, after] = /^(.*)\{(.*)\}(.*)$/.exec(glob) ?? [glob, glob, '', ''];
  return list.split(',').map((each) => before + each + after);
}
