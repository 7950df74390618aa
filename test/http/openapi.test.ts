import { spawnSync } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startTestServer } from '../helpers/test-server.js';

const redocly = fileURLToPath(
  new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url),
);

test('the OpenAPI documents of both listeners pass a linter without a finding', async () => {
  const server = await startTestServer({ env: { MSGSITE_ADMIN_TOKEN: 'secret' } });
  const folder = await mkdtemp(join(tmpdir(), 'msgsite-openapi-'));
  await writeFile(
    join(folder, 'redocly.yaml'),
    'extends: [recommended]\nrules:\n  no-server-example.com: off\n  security-defined: error\n',
  );
  const files = [];
  for (const [name, url] of [
    ['site', server.site],
    ['gateway', server.gateway],
  ] as const) {
    const file = join(folder, `${name}.json`);
    const response = await fetch(`${url}/openapi.json`);
    // Redocly warns about any server on localhost, which a test server can only be.
    const document = {
      ...((await response.json()) as object),
      servers: [{ url: 'https://shop.kz' }],
    };
    await writeFile(file, JSON.stringify(document));
    files.push(file);
  }
  await server.close();
  const { stdout } = spawnSync(
    process.execPath,
    [redocly, 'lint', ...files, '--config', join(folder, 'redocly.yaml'), '--format', 'json'],
    { encoding: 'utf8' },
  );
  const { totals, problems } = JSON.parse(stdout);
  expect(problems).toEqual([]);
  expect(totals).toMatchObject({ errors: 0, warnings: 0 });
});
