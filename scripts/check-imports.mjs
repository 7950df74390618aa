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
  'src/terminal': ['src/base', 'src/json'],
  'src/storage': ['src/base', 'src/json'],
  'src/messaging': ['src/base'],
  'src/messaging/routes': ['src/base', 'src/http', 'src/messaging'],
  'src/messaging/store-json': ['src/base', 'src/storage', 'src/messaging'],
  'src/messaging/store-postgres': ['src/base', 'src/storage', 'src/messaging'],
  'src/site': ['src/base', 'src/http', 'src/json'],
  'src/site/store-json': ['src/base', 'src/storage', 'src/site'],
  'src/site/store-postgres': ['src/base', 'src/storage', 'src/site'],
  'src/payments': ['src/base', 'src/json'],
  'src/payments/routes': ['src/base', 'src/http', 'src/payments'],
  'src/payments/store-json': ['src/base', 'src/storage', 'src/payments'],
  'src/payments/store-postgres': ['src/base', 'src/storage', 'src/payments'],
  'src/payments/providers/sandbox': [
    'src/base',
    'src/http',
    'src/json',
    'src/storage',
    'src/payments',
  ],
  'src/orders': ['src/base'],
  'src/orders/routes': ['src/http', 'src/orders'],
  'src/orders/pages': ['src/base', 'src/http'],
  'src/orders/store-json': ['src/base', 'src/storage', 'src/orders'],
  'src/orders/store-postgres': ['src/base', 'src/storage', 'src/orders'],
  'src/webhooks': ['src/base', 'src/json'],
  'src/webhooks/store-json': ['src/base', 'src/storage', 'src/webhooks'],
  'src/webhooks/store-postgres': ['src/base', 'src/storage', 'src/webhooks'],
  'src/audit': ['src/base'],
  'src/audit/store-json': ['src/base', 'src/storage', 'src/audit'],
  'src/audit/store-postgres': ['src/base', 'src/storage', 'src/audit'],
  'src/screens': ['src/base', 'src/json'],
  'src/transfer': ['src/base', 'src/json', 'src/storage'],
  'src/pages/shared': [],
  'src/pages/shop': ['src/pages/shared'],
  'src/pages/chat': ['src/pages/shared'],
  'src/pages/admin': ['src/pages/shared'],
  'src/app': ['src'],
};

/**
 * Folder -> the files in it (all of them, with those in its folders: `**`) that decide, draw or parse: they
 * do no I/O, ask no clock and import nothing that reaches beyond the process. Their functions are pure.
 */
const pure = {
  'src/audit': 'records',
  'src/base':
    'addresses csv fold-text foreign-text html languages nearest pretty-lines records running-time state text-columns text-direction trim-end workflow-commands wrap-words',
  'src/config': 'readers settings start-warnings',
  'src/http/answer': 'etag security-headers',
  'src/http/request': 'accept-encoding language query same-origin target',
  'src/http/route': 'openapi-examples openapi-failures openapi-schemas openapi-webhooks',
  'src/json': '**',
  'src/messaging':
    'avatar cipher demo id-list list-texts message-page message-texts model password-work records views',
  'src/orders': 'amount following order qr-image records stock views',
  'src/orders/pages': 'draw-code draw-dialog draw-order formats read-form shown-order words/**',
  'src/payments': 'amount payment payment-event payment-view phone records zoned-time',
  'src/payments/providers': 'answer-values operation-rows provider-answer',
  'src/payments/providers/sandbox':
    'answer-faults answers fault fault-list faults faults-in-force ids lenient money-moves operation people scenario',
  'src/payments/reconcile':
    'compare day-report days difference-words differences reconcile-schedule their-operation',
  'src/payments/sessions': 'session-index',
  'src/payments/watching': 'payment-balance payment-rules poll-schedule status-map',
  'src/screens/definition': 'read values',
  'src/screens/language-server':
    'candidates capabilities code-actions completion contract definition describe-place diagnostics documents hover meanings names place-in-document places sheet sheets snippets style tokens',
  'src/screens/normalise': '**',
  'src/screens/render': '**',
  'src/screens/reporters': '**',
  'src/screens/rules': '**',
  'src/screens/text': '**',
  'src/site': 'content deleted demo records',
  'src/site/csv': 'cells plan-import read-products read-table table write-products',
  'src/site/store-json': 'kept site-changes',
  'src/site/images': 'address digest orientation picture-type records references unused',
  'src/site/pages':
    'addresses catalogue catalogue-section failure formats frame home opening-hours parts product product-card shop-card site-facts sitemap structured-data',
  'src/site/pages/words': '**',
  'src/storage': 'transfer-mark',
  'src/storage/json/lines': 'checksum',
  'src/storage/postgres': 'database-errors storable-text',
  'src/terminal': 'big-text capabilities formats half-block qr shell-word table',
  'src/terminal/completion': '**',
  'src/terminal/payment': 'live-layout payment-card payment-words',
  'src/terminal/till':
    'till-field till-forms till-keys till-layout till-lines till-refund till-sale till-sign-in till-speech till-state till-steps till-types till-view till-words tone-colors',
  'src/transfer': 'summary',
  'src/webhooks': 'delivery delivery-view describe-events event records signature',
  'src/webhooks/delivering': 'outcome retry-after',
  'src/webhooks/subscriptions': 'extra-headers subscription',
  'src/webhooks/tools': 'header-text replay-filter',
};

/** Modules and packages that reach beyond the process, and what of the language does. */
const ioModules =
  /^(node:(fs|net|http|https|dns|child_process|worker_threads)\b|koa|@koa|lowdb|ky$|pino$|pg$|ink$|vscode-languageserver\/node$)/;
const ioGlobals =
  /\b(fetch\(|process\.|console\.|Date\.now\(|new Date\(\)|performance\.|set(Timeout|Interval|Immediate)\()/;

/** A feature's stores, which nobody opens but `src/app`: everybody else is handed what they give. */
const storeFolder = /^(src\/.+\/store-(?:json|postgres))\//;
/** Tables of the database that are no feature's; the others are named in its store alone. */
const ownTables = [
  'migrations',
  'rate_limits',
  'secret_fingerprints',
  'state',
  'transfer',
  'workers',
];

const sources = globSync(
  ['bin/**/*.{js,mjs}', 'commands/**/*.{ts,tsx}', 'src/**/*.{ts,tsx}', 'src/pages/**/*.js'],
  { cwd: root },
);
/** File -> what it imports: paths of ours, and names of packages; types alone are not among the latter. */
const importsOf = new Map(sources.map((file) => [file, readImports(file)]));
const faults = [
  ...wrongDirections(),
  ...openedStores(),
  ...foreignTables(),
  ...impurities(),
  ...idle(),
];
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
    for (const { name, isOurs, isType } of found) if (isOurs) yield [file, name, isType];
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
  // A feature's own folders are one: whoever may import one of them may import all. A page is a feature.
  const depth = folder.startsWith('src/pages/') ? 3 : 2;
  const feature = folder.split('/').slice(0, depth).join('/');
  return [folder, feature, ...allowed[folder]].some((each) => target.startsWith(`${each}/`));
}

function* openedStores() {
  for (const [file, target, isType] of ownImports()) {
    if (isType) continue;
    const store = storeFolder.exec(target)?.[1];
    const mayOpen = ['src/app/', `${store}/`].some((folder) => file.startsWith(folder));
    if (store && !mayOpen) yield `${file} must not open a store: ${target}`;
  }
}

function* foreignTables() {
  const statements = [...sources, ...globSync('src/**/*.sql', { cwd: root })];
  for (const file of statements.filter((each) => !each.includes('/store-postgres/'))) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, table] of text.matchAll(/\b(?:from|into|join|update|table) msgsite\.(\w+)/g)) {
      if (!ownTables.includes(table)) yield `${file} must not name a feature's table: ${table}`;
    }
  }
}

function* impurities() {
  for (const [folder, names] of Object.entries(pure)) {
    for (const name of names.split(' ')) {
      const files = globSync(`${folder}/${name}.ts`, { cwd: root, ignore: '**/assets/**' });
      if (files.length === 0) yield `There is no ${folder}/${name}.ts`;
      for (const file of files) {
        const way = wayToIo(file, new Set());
        if (way) yield `${[file, ...way].join(' -> ')}: a pure file must not do I/O`;
        const [found] = ioGlobals.exec(readFileSync(join(root, file), 'utf8')) ?? [];
        if (found) yield `${file}: a pure file must not use ${found}`;
      }
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
