// Writes docs/bounds.md: the bounds that lib/find-bounds.mjs finds in the sources and schemas, in tables by area.
// Fails if a bound lacks a doc comment; with --check it writes nothing, and fails as well if the page is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import { boundsOfSchema, boundsOfSource } from './lib/find-bounds.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const schemas = ['messaging', 'site', 'orders', 'gateway', 'webhooks'];
/** The tables of the page, and the files whose bounds each lists. The first that matches counts. */
const areas = [
  ['HTTP', /^src\/http\//],
  ['Accounts and messages', /^(?:src|schemas)\/messaging\b/],
  ['Site', /^(?:src|schemas)\/site\b/],
  ['Orders', /^(?:src|schemas)\/orders\b/],
  ['Sandbox', /^src\/payments\/providers\/sandbox\//],
  ['Payments', /^src\/payments\/|^schemas\/gateway\b/],
  ['Webhooks', /^(?:src|schemas|commands)\/webhooks\b/],
  ['Storage, audit and transfer', /^src\/(?:storage|audit|transfer)\//],
  ['Screens', /^(?:src\/screens|commands\/validate-screen)\//],
  ['Pages', /^src\/pages\//],
  ['Command line', /^(?:bin|commands|src\/terminal)\//],
  ['Settings, files and JSON', /^src\//],
];
const introduction = `# Bounds

Everything that comes from outside is bounded in number, size and time. This page lists the bounds; [security](security.md#bounds)
says what happens beyond them. It is generated from the sources and schemas (\`npm run docs:bounds\`): a test fails if it
is out of date. Bounds that are settings are in [configuration](configuration.md).

KB and MB count 1,024. A limit of \`60 a minute\` gives attempts back evenly, one a second. \`30 at once\` is the number that
may come together if it differs from the first one.
`;

const read = (file) => readFileSync(root + file, 'utf8');
const sources = globSync(['bin/*.{js,mjs}', '{src,commands}/**/*.{ts,tsx}'], { cwd: root }).sort();
const bounds = [
  ...sources.flatMap((file) => boundsOfSource(file, read(file))),
  ...schemas
    .map((name) => `schemas/${name}.schema.json`)
    .flatMap((file) => boundsOfSchema(file, JSON.parse(read(file)))),
];
const page = formatPage();
const faults = bounds.flatMap(({ faults }) => faults);
if (!process.argv.includes('--check')) writeFileSync(`${root}docs/bounds.md`, page);
else if (read('docs/bounds.md') !== page) {
  faults.push('docs/bounds.md is out of date. Run: npm run docs:bounds');
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

function formatPage() {
  const isInternal =
    'What msgsite bounds in its own work and output; nothing from outside meets it.\n\n';
  const tables = areas.map(([title]) =>
    formatTable(
      title,
      bounds.filter((bound) => areaOf(bound) === title),
    ),
  );
  const internal = bounds.filter((bound) => bound.isInternal);
  return [introduction, ...tables, formatTable('Internal', internal, isInternal)].join('\n');
}

function areaOf({ file, isInternal }) {
  return isInternal ? undefined : areas.find(([, files]) => files.test(file))?.[0];
}

function formatTable(title, rows, about = '') {
  const lines = rows.map(
    ({ what, value, name, file }) => `| ${what} | ${value} | \`${name}\` in \`${file}\` |`,
  );
  return `## ${title}\n\n${about}| what | value | where |\n|---|---|---|\n${lines.join('\n')}\n`;
}
