// Enforces who may import whom, as docs/architecture.md shows it, and which files do no I/O. What is
// not allowed below is a fault, and so is a line below that nothing needs any more.
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Folder -> the folders that its files may import besides itself. The longest name that fits counts. */
const allowed = {
  bin: ['commands'],
  commands: ['src'],
  'src/base': [],
  'src/json': ['src/base'],
  'src/config': ['src/base'],
  'src/http': ['src/base', 'src/json'],
  'src/terminal': ['src/base'],
  'src/storage': ['src/base', 'src/json'],
  'src/messaging': ['src/base'],
  'src/messaging/routes': ['src/base', 'src/http', 'src/messaging'],
  'src/messaging/store-json': ['src/base', 'src/storage', 'src/messaging'],
  'src/messaging/store-postgres': ['src/base', 'src/storage', 'src/messaging'],
  'src/site': ['src/base', 'src/http'],
  'src/site/store-json': ['src/base', 'src/storage', 'src/site'],
  'src/site/store-postgres': ['src/base', 'src/storage', 'src/site'],
  'src/payments': ['src/base', 'src/json'],
  'src/payments/routes': ['src/base', 'src/http', 'src/payments'],
  'src/payments/store-json': ['src/base', 'src/storage', 'src/payments'],
  'src/payments/store-postgres': ['src/base', 'src/storage', 'src/payments'],
  'src/payments/providers/sandbox': ['src/base', 'src/http', 'src/storage', 'src/payments'],
  'src/webhooks': ['src/base', 'src/json'],
  'src/webhooks/store-json': ['src/base', 'src/json', 'src/storage', 'src/webhooks'],
  'src/webhooks/store-postgres': ['src/base', 'src/storage', 'src/webhooks'],
  'src/screens': ['src/base'],
  'src/transfer': ['src'],
  'src/app': ['src'],
};

/** Files that do no I/O themselves, nor import one that does. */
const pure = [
  'src/json/*.ts',
  'src/messaging/{cipher,message-page,message-texts,password-work,views}.ts',
  'src/payments/{amount,payment,payment-event,phone,zoned-time}.ts',
  'src/payments/watching/{payment-rules,poll-schedule}.ts',
  'src/webhooks/{delivery,event,signature}.ts',
  'src/webhooks/delivering/{outcome,schedule}.ts',
  'src/screens/{normalise,rules,render}/**/*.ts',
  'src/screens/definition/read.ts',
];

/** Modules and packages that reach beyond the process. */
const ioModules =
  /^(node:(fs|net|http|https|dns|child_process|worker_threads)\b|koa|@koa|lowdb|ky$|pino$|postgres$|ink$)/;

const sources = globSync(['bin/**/*.js', 'commands/**/*.{ts,tsx}', 'src/**/*.{ts,tsx}'], {
  cwd: root,
});
/** File -> what it imports: paths of ours, and names of packages; types alone are not among the latter. */
const importsOf = new Map(sources.map((file) => [file, readImports(file)]));
const faults = [...wrongDirections(), ...impurities(), ...idle()];
for (const fault of faults) console.error(fault);
console.log(`${sources.length} files read, ${faults.length} faults`);
process.exitCode = faults.length > 0 ? 1 : 0;

function readImports(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const found = text.matchAll(
    /^(?:import|export)( type)?\b[^'";]*?from '([^']+)'|(?:import\(|^import )'([^']+)'/gm,
  );
  return [...found].map(([, isType, from, other]) => {
    const name = from ?? other;
    if (!name.startsWith('.')) return { name, isType: isType !== undefined };
    // What is built stands for its source.
    const path = relative(root, join(root, dirname(file), name)).replace(/^dist\//, '');
    const candidates = [path, path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')];
    const target = candidates.find((each) => sources.includes(each)) ?? path;
    return { name: target, isOurs: true, isType: isType !== undefined };
  });
}

/** The most special folder of the table that a file lies in. */
function folderOf(file) {
  const fitting = Object.keys(allowed).filter((folder) => file.startsWith(`${folder}/`));
  return fitting.sort((a, b) => b.length - a.length)[0];
}

function* ownImports() {
  for (const [file, found] of importsOf) {
    for (const { name, isOurs } of found) if (isOurs) yield [file, name];
  }
}

function* wrongDirections() {
  for (const [file, target] of ownImports()) {
    const folder = folderOf(file);
    if (folder === undefined) yield `${file} lies in no folder of the table`;
    else if (!isAllowed(folder, target)) yield `${file} must not import ${target}`;
  }
}

function isAllowed(folder, target) {
  // A feature's own folders are one: whoever may import one of them may import all.
  const feature = folder.split('/').slice(0, 2).join('/');
  return [folder, feature, ...allowed[folder]].some((each) => target.startsWith(`${each}/`));
}

function* impurities() {
  for (const pattern of pure) {
    const files = globSync(pattern, { cwd: root, ignore: '**/assets/**' });
    if (files.length === 0) yield `No file fits ${pattern}`;
    for (const file of files) {
      const way = wayToIo(file, new Set());
      if (way) yield `${[file, ...way].join(' -> ')}: a pure file must not do I/O`;
    }
  }
}

function wayToIo(file, seen) {
  if (seen.has(file)) return undefined;
  seen.add(file);
  for (const { name, isOurs, isType } of importsOf.get(file) ?? []) {
    if (isType) continue;
    if (!isOurs && ioModules.test(name)) return [name];
    const way = isOurs ? wayToIo(name, seen) : undefined;
    if (way) return [name, ...way];
  }
  return undefined;
}

/** Lines of the table that say nothing: no file needs them. */
function* idle() {
  const used = new Set();
  for (const [file, target] of ownImports()) {
    const folder = folderOf(file);
    const by = allowed[folder]?.find((each) => target.startsWith(`${each}/`));
    if (by) used.add(`${folder} -> ${by}`);
  }
  for (const [folder, others] of Object.entries(allowed)) {
    for (const other of others) {
      if (!used.has(`${folder} -> ${other}`)) yield `Nothing in ${folder} imports ${other}`;
    }
    if (!sources.some((file) => file.startsWith(`${folder}/`))) yield `There is no ${folder}`;
  }
}
