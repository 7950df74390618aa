import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import { describe, expect, it } from 'vitest';
import { commonOptions } from '../../commands/command.js';
import { commands } from '../../commands/registry.js';
import { type SettingName, settings, variableOf } from '../../src/config/settings.js';
import { root } from './machine.js';
import { proseOf, stepsOf } from './markdown.js';
import { followed, followedOnPostgres } from './pages.js';

const pages = globSync(['*.md', 'docs/**/*.md', 'bench/*.md', 'deploy/**/*.md'], { cwd: root });
const texts = new Map(
  await Promise.all(
    pages.map(async (page) => [page, await readFile(join(root, page), 'utf8')] as const),
  ),
);
const text = (page: string): string => texts.get(page) ?? '';

/** Returns the anchors that GitHub creates from the headings of a page. */
function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of proseOf(markdown).matchAll(/^#+ (.*)$/gm)) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    anchors.add(words.replace(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-'));
  }
  return anchors;
}

it.each(pages)('the links of %s are valid', (page) => {
  const prose = proseOf(text(page)).replace(/`[^`\n]*`/g, '');
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  const dead = links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), decodeURIComponent(path));
    if (!existsSync(resolve(root, target))) return true;
    return anchor !== undefined && !anchorsOf(text(target)).has(anchor);
  });
  expect(dead).toEqual([]);
});

it.each(pages)('every command block of %s is tested or marked with a reason', (page) => {
  if (page in followed || page in followedOnPostgres) return;
  const guides = /^(README\.md|docs\/(?!decisions\/)[\w-]+\/[\w-]+\.md)$/;
  if (!guides.test(page)) return;
  const unmarked = stepsOf(text(page)).filter(
    (step) =>
      step.kind === 'block' &&
      ['sh', 'console', 'bash'].includes(step.language) &&
      !step.mark?.startsWith('not run: '),
  );
  expect(unmarked.map(({ line }) => `${page}:${line}`)).toEqual([]);
});

it.each(pages)('the JSON of %s is valid', (page) => {
  const blocks = stepsOf(text(page)).flatMap((step) =>
    step.kind === 'block' && step.language === 'json' ? [step.text] : [],
  );
  for (const block of blocks) expect(() => JSON.parse(block), block).not.toThrow();
});

it.each(pages)('the repository files in skipped commands of %s exist', (page) => {
  const blocks = stepsOf(text(page)).flatMap((step) =>
    step.kind === 'block' && step.mark?.startsWith('not run: ')
      ? [`${step.mark}\n${step.text}`]
      : [],
  );
  const named = blocks.join('\n').match(/(?<![\w/.])(deploy|test|scripts)\/[\w@./-]+/g) ?? [];
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

it.each(pages)('the settings files of %s have one variable per line', (page) => {
  const lines = stepsOf(text(page)).flatMap((step) =>
    step.kind === 'block' && step.language === 'ini' ? step.text.split('\n') : [],
  );
  expect(lines.filter((line) => !/^MSGSITE_[A-Z_]+=\S+$/.test(line))).toEqual([]);
});

describe('the pages', async () => {
  const flags = new Map(
    await Promise.all(
      commands.map(async ({ path, load }) => {
        const { options = [] } = await load();
        const names = [...options, ...commonOptions].flatMap(({ flags: words }) =>
          words.match(/--[\w-]+/g),
        );
        return [path, new Set([...names, '--help'])] as const;
      }),
    ),
  );
  const paths = [...flags.keys()].sort((a, b) => b.length - a.length);

  it.each(pages)('mention only existing commands and flags in %s', (page) => {
    const unknown: string[] = [];
    const blocks = stepsOf(text(page)).flatMap((step) => (step.kind === 'block' ? step.text : []));
    const spans = [...proseOf(text(page)).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
    const calls = [...blocks, ...spans]
      .flatMap((code) => code.replaceAll('\\\n', ' ').split(/\n|\||;|&&|\$\(/))
      .flatMap(
        (line) => /(?:^|\s)(?:msgsite|bin\/msgsite\.js) +([a-z][^#]*)/.exec(line)?.[1] ?? [],
      );
    for (const written of calls) {
      const call = written.replace(/^help(?: |$)/, '');
      if (call === '') continue;
      const path = paths.find((each) => call === each || call.startsWith(`${each} `));
      const isGroup = paths.some((each) => each.startsWith(`${call.split(' ')[0]} `));
      if (!path) {
        if (!isGroup) unknown.push(call);
        continue;
      }
      const words = call.replace(/"[^"]*"|'[^']*'/g, '').match(/(?<=\s)--[\w-]+/g) ?? [];
      unknown.push(
        ...words.filter((flag) => !flags.get(path)?.has(flag)).map((flag) => `${path} ${flag}`),
      );
    }
    expect(unknown).toEqual([]);
  });

  it.each(pages)('mention only existing variables in %s', async (page) => {
    const sources = globSync(
      ['src/**/*.ts', 'commands/**/*.ts', 'test/**/*.ts', 'bench/**/*.mjs'],
      {
        cwd: root,
        absolute: true,
      },
    );
    known ??= new Set([
      ...(Object.keys(settings) as SettingName[]).map(variableOf),
      ...(await Promise.all(sources.map((file) => readFile(file, 'utf8')))).flatMap(
        (source) => source.match(/MSGSITE_[A-Z_]*[A-Z]/g) ?? [],
      ),
    ]);
    const named = new Set(text(page).match(/\bMSGSITE_[A-Z_]*[A-Z]/g) ?? []);
    const exists = (name: string) => known?.has(name) || known?.has(name.replace(/_FILE$/, ''));
    expect([...named].filter((name) => !exists(name))).toEqual([]);
  });
  let known: Set<string> | undefined;
});
