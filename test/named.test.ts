import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commands } from '../commands/registry.js';
import { allKinds } from '../src/app/data-records.js';
import { type SettingName, settings, variableOf } from '../src/config/settings.js';
import { eventNames } from '../src/events/event.js';
import { startTestServer, type TestServer } from './helpers/test-server.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The fast tests, and all files in test/ that they import. */
const files = new Set(
  globSync('test/**/*.test.{ts,tsx}', {
    cwd: root,
    ignore: ['test/**/*.long.test.*', 'test/named.test.ts'],
  }),
);
const texts: string[] = [];
for (const file of files) {
  const text = readFileSync(join(root, file), 'utf8');
  texts.push(text);
  for (const [, imported = ''] of text.matchAll(/ from '(\.[^']+)\.js'/g)) {
    const path = join(dirname(file), `${imported}.ts`);
    if (path.startsWith('test/') && existsSync(join(root, path))) files.add(path);
  }
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const isNamed = (pattern: RegExp) => texts.some((text) => pattern.test(text));

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { MSGSITE_ADMIN_TOKEN: 'a token of the admin' } });
});
afterAll(() => server.close());

/** Returns every `METHOD /path` in a listener's API description. */
async function routesOf(listener: 'site' | 'gateway'): Promise<string[]> {
  const response = await fetch(`${server[listener]}/openapi.json`);
  const { paths } = (await response.json()) as { paths: Record<string, object> };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .filter((name) => /^(get|post|put|patch|delete)$/.test(name))
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
}

/** Matches a call of the route: its path with any values for the parameters, near its method. */
function callOf(route: string): RegExp {
  const [method = '', path = ''] = route.split(' ');
  const parts = path.split(/\{\w+\}/).map(escaped);
  const address = `${parts.join('(?:\\$\\{[^}]*\\}|[^/`\'"\\s?]+)')}(?=[\`'"?\\s])`;
  if (method === 'GET') return new RegExp(address);
  const word = `\\b(?:${method}|${method.toLowerCase()})\\b`;
  return new RegExp(`${word}[^;]{0,120}${address}|${address}[^;]{0,200}${word}`);
}

it.each(['site', 'gateway'] as const)(
  'every route of the %s appears in a fast test',
  async (listener) => {
    const routes = await routesOf(listener);
    expect(routes.length).toBeGreaterThan(10);
    expect(routes.filter((route) => !isNamed(callOf(route)))).toEqual([]);
  },
);

it('every command appears in a fast test', () => {
  const words = (path: string) => path.split(' ').map(escaped).join('[\'",\\s]+');
  const call = (path: string) => new RegExp(`['"\`\\s]${words(path)}(?![\\w-])`);
  expect(commands.map(({ path }) => path).filter((path) => !isNamed(call(path)))).toEqual([]);
});

it('the variable or flag of every setting appears in a fast test', () => {
  const unnamed = (Object.keys(settings) as SettingName[]).filter((name) => {
    const setting = settings[name];
    const flag = 'flag' in setting ? /--[\w-]+/.exec(setting.flag.flags)?.[0] : undefined;
    return ![variableOf(name), flag].some(
      (word) => word !== undefined && isNamed(new RegExp(`${word}(?![\\w-])`)),
    );
  });
  expect(unnamed).toEqual([]);
});

it('every webhook event appears in a fast test', () => {
  const quoted = (name: string) => new RegExp(`['"\`]${escaped(name)}['"\`]`);
  expect(eventNames.filter((name) => !isNamed(quoted(name)))).toEqual([]);
});

it('every kind of record appears in a fast test', () => {
  const kinds = allKinds().map(({ name }) => name);
  const quoted = (name: string) => new RegExp(`['"\`]${escaped(name)}['"\`]`);
  expect(kinds.filter((name) => !isNamed(quoted(name)))).toEqual([]);
});
