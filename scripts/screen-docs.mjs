// Generates docs/screens/rules.md and the examples of each rule in test/screens/rules/ from the rules. Requires a
// build. With --check, only reports the files that are out of date.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { allRules } = await import('../dist/src/screens/rules/all-rules.js');
const { contractRules } = await import('../dist/src/screens/check/contract-rules.js');
const { foreignJson } = await import('../dist/src/base/foreign-text.js');
const { checkScreen } = await import('../dist/src/screens/check/check-text.js');

const files = new Map([[`${root}docs/screens/rules.md`, page()]]);
for (const rule of allRules) {
  const { good, bad } = rule.examples();
  const folder = `${root}test/screens/rules/${rule.id}`;
  const broken = text(complete(bad));
  files.set(`${folder}/good.screen.json`, text(complete(good)));
  files.set(`${folder}/bad.screen.json`, broken);
  files.set(`${folder}/expected.json`, text(await expected(broken)));
}
const stale = [];
for (const [file, content] of files) {
  const before = await readFile(file, 'utf8').catch(() => undefined);
  if (before !== content) stale.push(file);
}
if (process.argv.includes('--check')) {
  for (const file of stale) console.error(`${relative(root, file)} is out of date.`);
  if (stale.length > 0) console.error('Run: node scripts/screen-docs.mjs');
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const file of stale) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, files.get(file));
  }
  console.log(`${stale.length} of ${files.size} files written`);
}

function complete(example) {
  return { product: { name: 'Contracts', entity: 'contract' }, ...example };
}

async function expected(content) {
  const { findings } = await checkScreen(content, {});
  return findings.map(({ rule, severity, path, line, column }) => ({
    rule,
    severity,
    path,
    line,
    column,
  }));
}

function page() {
  return `# Rules of validate-screen

This page is generated from the rules (\`node scripts/screen-docs.mjs\`). \`msgsite validate-screen --explain RULE\` prints the same text in a terminal. [validate-screen](validate-screen.md) describes how to use and configure the command and how to run it in CI.

## Errors: the contract

These findings make a file invalid. You cannot disable them or add them to a baseline.

| Rule | Meaning |
| --- | --- |
${contractRules.map(({ id, summary, documentation }) => `| \`${id}\` | ${summary}. ${cell(documentation)} |`).join('\n')}

## Warnings and notes

A definition with these findings is valid, but parts of it do not work as written (warning) or could be improved (note, severity \`info\`). You can change the severity of each rule in \`.msgsite-screens.json\`.

| Rule | Severity | Meaning |
| --- | --- | --- |
${allRules.map(({ id, severity, summary }) => `| [\`${id}\`](#${id}) | ${severity} | ${cell(summary)} |`).join('\n')}

${allRules.map(section).join('\n')}`;
}

function section({ id, severity, summary, documentation, examples }) {
  const { good, bad } = examples();
  return `### ${id}

*${severity}* · ${summary}.

${documentation}

Reported:

\`\`\`json
${foreignJson(bad, 2)}
\`\`\`

Fine:

\`\`\`json
${foreignJson(good, 2)}
\`\`\`
`;
}

function cell(content) {
  return content.replaceAll('|', '\\|');
}

function text(value) {
  return `${foreignJson(value, 2)}\n`;
}
