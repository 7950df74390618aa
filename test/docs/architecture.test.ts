import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './machine.js';

const parts = readdirSync(join(root, 'src')).map((name) => `src/${name}`);

it.each(['docs/develop/architecture.md', 'docs/images/architecture.svg'])(
  '%s mentions every folder in src and no others',
  (file) => {
    const named = readFileSync(join(root, file), 'utf8').match(/\bsrc\/[a-z]+/g) ?? [];
    expect([...new Set(named)].sort()).toEqual(parts.sort());
  },
);

it('docs/develop/architecture.md mentions only existing files', () => {
  const page = readFileSync(join(root, 'docs/develop/architecture.md'), 'utf8');
  const named = [...page.matchAll(/`((?:src|commands|schemas|scripts|test)\/[\w./-]+\.\w+)`/g)];
  expect(named.length).toBeGreaterThan(5);
  for (const [, file = ''] of named) expect(() => readFileSync(join(root, file))).not.toThrow();
});
