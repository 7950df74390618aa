import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, expect, test } from 'vitest';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { startTestServer } from '../helpers/test-server.js';

const redocly = fileURLToPath(
  new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url),
);

/** Returns a port that was free a moment ago. Port 0 would be a different port for each listener. */
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

/** The documents by listener name. */
const documents = new Map<string, Readonly<Record<string, unknown>>>();
const names = ['the site', 'the gateway', 'both on one port'];

beforeAll(async () => {
  documents.set('the site', await documentOf('site', {}));
  documents.set('the gateway', await documentOf('gateway', {}));
  documents.set('both on one port', await documentOf('site', onePort));
});

test('the OpenAPI documents of all listeners pass a linter without findings', async () => {
  const folder = await makeTempFolder();
  const config = join(folder, 'redocly.yaml');
  await writeFile(config, 'extends: [recommended]\n');
  const files = names.map((name) => join(folder, `${name}.json`));
  for (const [index, name] of names.entries()) {
    // The linter warns about servers on localhost, which all test servers are.
    const document = { ...documents.get(name), servers: [{ url: 'https://shop.kz' }] };
    await writeFile(files[index] ?? '', JSON.stringify(document));
  }
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [redocly, 'lint', ...files, '--config', config, '--format', 'json'],
    { encoding: 'utf8' },
  );
  // There is a report for each document, without a separator.
  const reports = JSON.parse(`[${stdout.replaceAll('\n}{', '\n},{')}]`);
  expect(reports).toHaveLength(names.length);
  for (const { totals, problems } of reports) {
    expect(problems).toEqual([]);
    expect(totals).toMatchObject({ errors: 0, warnings: 0 });
  }
  for (const name of names) expect(stderr).toContain(`${name}.json: validated`);
});

test.each(names)('the OpenAPI document of %s is valid OpenAPI 3.1', async (name) => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate({ ...documents.get(name) });
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(validator.version).toBe('3.1');
});

test.each(names)('the OpenAPI document of %s has version 1.0.0', (name) => {
  expect(documents.get(name)?.info).toMatchObject({ version: '1.0.0' });
});

test('the validator rejects a document that is not OpenAPI 3.1', async () => {
  const document = { ...documents.get('the gateway'), webhooks: [] };
  const { valid } = await new Validator().validate(document);
  expect(valid).toBe(false);
});
