// Writes docs/operate/bounds.md, which lists the limits in the sources and schemas by area. A constant is a limit if
// its name or the tag @bound in its doc comment marks it, or if it is a rate limit rule or the size of a cache. The tag
// @internal excludes limits that outside input cannot reach. The first sentence of the comment describes the limit.
// Fails if a limit has no doc comment. With --check, writes nothing, and also fails if the page is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import { parseAst } from 'vitest/node';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The tables of the page, each with the files whose limits it lists. The first match applies. */
const areas = [
  ['HTTP', /^src\/http\//],
  ['Accounts and messages', /^(?:src|schemas)\/messaging\b/],
  ['Site', /^(?:src|schemas)\/(?:site|images)\b/],
  ['Orders', /^(?:src|schemas)\/orders\b/],
  ['Sandbox', /^src\/payments\/providers\/sandbox\//],
  ['Payments', /^src\/payments\/|^schemas\/gateway\b/],
  ['Webhooks', /^(?:src|schemas|commands)\/(?:events|webhooks)\b/],
  ['Storage, audit and transfer', /^src\/(?:storage|audit|transfer)\//],
  ['Screens', /^(?:src\/screens|commands\/validate-screen)\//],
  ['Pages', /^src\/pages\//],
  ['Command line', /^(?:bin|commands|src\/terminal)\//],
  ['Settings, files and JSON', /^src\//],
];
const introduction = `# Bounds

Everything that comes from outside is limited in number, size and time. This page lists the limits that are defined in the
code. [Security](security.md#bounds) describes what happens when they are exceeded. [Configuration](../start/configuration.md)
describes the limits that are settings. The page is generated from the sources and schemas with \`npm run docs:bounds\`.

A rate limit of \`amount: 60, periodSeconds: 60\` restores one attempt per second. \`burst\` is the maximum
number of attempts in a burst, if it differs from \`amount\`.
`;

const boundName =
  /^(?:max|deepest|usual|remembered|cached)(?:[A-Z]|$)|^timeouts$|(?:Timeout|Limits?|Bounds)$/;
const number = /^(?=.*\d)[\w.]+(?: (?:\*\*?|-) \w+)*$/;
const rateLimit = /^\{[^{}]*\bperiodSeconds:[^{}]*\}$/;
const schemaLimits = {
  maxLength: 'Maximum number of characters in',
  maxItems: 'Maximum number of items in',
  maxProperties: 'Maximum number of properties in',
  maximum: 'Maximum value of',
};

/** Adds the limits in a part of a source file to `found`; `outer` is the constant that contains the part. */
function search(node, source, found, outer = { name: '', comment: '', isBound: false }) {
  if (typeof node !== 'object' || node === null) return;
  const [key, value] = definitionIn(node, outer);
  let inner = outer;
  if (key !== undefined) {
    const comment = commentBefore(source.text, node) || outer.comment;
    const isProperty = node.type === 'Property';
    const name = isProperty ? `${outer.name}.${key}` : key;
    const isNamed = isProperty ? /^max(?:Size)?$/.test(key) : boundName.test(key);
    const isBound = outer.isBound || isNamed || comment.includes('@bound');
    inner = { name, comment, isBound };
    const text = source.text
      .slice(value.start, value.end)
      .replace(/\s+/g, ' ')
      .replace(', }', ' }');
    if (rateLimit.test(text) || (isBound && number.test(text))) {
      const description =
        /^.+?\.(?= |$)/.exec(comment.replace(/ ?@(?:bound|internal)\b/g, ''))?.[0] ?? '';
      if (!comment.includes('@internal'))
        found.push({ name, description, value: text, file: source.file });
      return;
    }
  }
  const isScope = /Function|Class|Call/.test(node.type ?? '');
  for (const part of Object.values(node)) search(part, source, found, isScope ? undefined : inner);
}

/** Returns the name and the value of a declaration, a property or a default parameter. */
function definitionIn({ type, kind, declarations, key, value, left, right }, outer) {
  if (type === 'VariableDeclaration' && kind === 'const' && declarations[0].init) {
    return [declarations[0].id.name, declarations[0].init];
  }
  if (type === 'Property' && outer.name !== '') return [key.name ?? key.value, value];
  return type === 'AssignmentPattern' ? [left.name, right] : [];
}

function commentBefore(text, { start }) {
  const before = text.slice(0, start).replace(/\bexport\s+$/, '');
  const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(before)?.[1] ?? '';
  return comment.replace(/\s+(?:\* )?/g, ' ').trim();
}

/** Returns the limits in a schema file. */
function boundsOfSchema(file) {
  const found = [];
  const search = (part, path) => {
    if (typeof part !== 'object' || part === null) return;
    for (const [key, value] of Object.entries(part)) {
      // Integers are exact up to here, so this is not a limit.
      if (key in schemaLimits && value < Number.MAX_SAFE_INTEGER) {
        const description = `${schemaLimits[key]} \`${path.join('.')}\`.`;
        found.push({ name: [...path, key].join('.'), description, value, file });
      }
      search(value, key === 'properties' ? path : [...path, key]);
    }
  };
  search(JSON.parse(read(file)).$defs, []);
  return found;
}

function formatTable([title]) {
  const rows = bounds
    .filter(({ file }) => areas.find(([, files]) => files.test(file))?.[0] === title)
    .map(
      ({ description, value, name, file }) =>
        `| ${description} | \`${value}\` | \`${name}\` in \`${file}\` |`,
    );
  return `## ${title}\n\n| limit | value | source |\n|---|---|---|\n${rows.join('\n')}\n`;
}

function read(file) {
  return readFileSync(root + file, 'utf8');
}

const sources = globSync(['bin/*.{js,mts}', '{src,commands}/**/*.{ts,tsx}'], { cwd: root }).sort();
const bounds = [];
for (const file of sources) {
  const text = read(file);
  search(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }), { file, text }, bounds);
}
for (const name of ['messaging', 'site', 'orders', 'gateway', 'webhooks']) {
  bounds.push(...boundsOfSchema(`schemas/${name}.schema.json`));
}
const page = [introduction, ...areas.map(formatTable)].join('\n');
const faults = bounds
  .filter(({ description }) => description === '')
  .map(({ name, file }) => `${name} in ${file} lacks a doc comment.`);
if (!process.argv.includes('--check')) writeFileSync(`${root}docs/operate/bounds.md`, page);
else if (read('docs/operate/bounds.md') !== page) {
  faults.push('docs/operate/bounds.md is out of date. Run: npm run docs:bounds');
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
