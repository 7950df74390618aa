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

test.each(['site', 'gateway'] as const)(
  'the OpenAPI document of the %s passes a linter without a finding',
  async (name) => {
    const server = await startTestServer({ env: { MSGSITE_ADMIN_TOKEN: 'a token of the admin' } });
    const response = await fetch(`${server[name]}/openapi.json`);
    const document = (await response.json()) as object;
    await server.close();
    const folder = await mkdtemp(join(tmpdir(), 'msgsite-openapi-'));
    const file = join(folder, 'api.json');
    const config = join(folder, 'redocly.yaml');
    // The linter warns about every server on localhost, which a test's server can only be.
    await writeFile(file, JSON.stringify({ ...document, servers: [{ url: 'https://shop.kz' }] }));
    await writeFile(config, 'extends: [recommended]\n');
    const { stdout } = spawnSync(
      process.execPath,
      [redocly, 'lint', file, '--config', config, '--format', 'json'],
      { encoding: 'utf8' },
    );
    const { totals, problems } = JSON.parse(stdout);
    expect(problems).toEqual([]);
    expect(totals).toMatchObject({ errors: 0, warnings: 0 });
  },
);
