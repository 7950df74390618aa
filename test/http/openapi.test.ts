import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { startTestServer } from '../helpers/test-server.js';

const redocly = fileURLToPath(
  new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url),
);

/** A port that was free a moment ago: port 0 is another one for each listener. */
async function freePort(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return String(port);
}

async function documentOf(name: 'site' | 'gateway', env: Readonly<Record<string, string>>) {
  const server = await startTestServer({
    env: { MSGSITE_ADMIN_TOKEN: 'a token of the admin', ...env },
  });
  const response = await fetch(`${server[name]}/openapi.json`);
  const document = (await response.json()) as Record<string, unknown>;
  await server.close();
  return document;
}

const port = await freePort();
const onePort = { MSGSITE_PORT: port, MSGSITE_GATEWAY_PORT: port };

describe.each([
  ['the site', 'site', {}],
  ['the gateway', 'gateway', {}],
  ['both on one port', 'site', onePort],
] as const)('the OpenAPI document of %s', (_name, listener, env) => {
  test('passes a linter without a finding', async () => {
    const document = await documentOf(listener, env);
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
  });

  test('is OpenAPI 3.1, by the schema of that specification', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(await documentOf(listener, env));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });
});

test('a document that is no OpenAPI 3.1 is found out', async () => {
  const document = await documentOf('gateway', {});
  const { valid } = await new Validator().validate({ ...document, webhooks: [] });
  expect(valid).toBe(false);
});
