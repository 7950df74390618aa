import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { buildRequest } from '../../src/webhooks/delivering/request.js';
import { createDelivery } from '../../src/webhooks/delivery.js';
import { createSigningKey } from '../../src/webhooks/signature.js';
import { parseSubscriptions } from '../../src/webhooks/subscriptions/subscription-file.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { sampleEvent } from './samples.js';

const page = await readFile(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');

/** The nth code block of a language on the page. */
function snippet(language: string, number = 0): string {
  const blocks = [...page.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))];
  const code = blocks[number]?.[1];
  if (!code) throw new Error(`The page has no ${language} block ${number}.`);
  return code;
}

const subscription = { id: 'sub_1', displayUrl: 'http://a/' };
const delivery = createDelivery(sampleEvent(), subscription, [0]);

function requestSignedWith(secret: string, sentAt = Date.now()) {
  const key = createSigningKey(secret);
  const { body, headers } = buildRequest(delivery, {
    url: 'http://a/',
    keys: [key],
    sentAt,
    replay: false,
  });
  return { body, headers, signature: headers['X-Webhook-Signature'] ?? '' };
}

const secrets = ['plain', 'құпия', `whsec_${Buffer.from('0123456789').toString('base64')}`];

async function load(code: string) {
  const file = join(await makeTempFolder(), 'snippet.mjs');
  await writeFile(file, code);
  return import(pathToFileURL(file).href);
}

describe('docs/webhooks.md', () => {
  it('verifies our signature in Node.js', async () => {
    const { isGenuine } = await load(snippet('js', 0));
    for (const secret of secrets) {
      const { body, signature } = requestSignedWith(secret);
      expect(isGenuine(Buffer.from(body), signature, secret)).toBe(true);
      expect(isGenuine(Buffer.from(`${body} `), signature, secret)).toBe(false);
      expect(isGenuine(Buffer.from(body), signature, 'other')).toBe(false);
      expect(isGenuine(Buffer.from(body), undefined, secret)).toBe(false);
    }
  });

  it('verifies the standard signature in Node.js', async () => {
    const { isGenuineAndFresh } = await load(snippet('js', 1));
    for (const secret of secrets) {
      const { body, headers } = requestSignedWith(secret);
      expect(isGenuineAndFresh(Buffer.from(body), headers, secret)).toBe(true);
      expect(isGenuineAndFresh(Buffer.from(body), headers, 'other')).toBe(false);
      expect(isGenuineAndFresh(Buffer.from(body), {}, secret)).toBe(false);
      const old = requestSignedWith(secret, Date.now() - 600_000);
      expect(isGenuineAndFresh(Buffer.from(old.body), old.headers, secret)).toBe(false);
    }
  });

  it('verifies our signature in Python', async (context) => {
    const python = spawnSync('python3', ['--version']);
    if (python.status !== 0) context.skip('python3 is not installed here');
    const check = `
import json, sys
for body, signature, secret, expected in json.load(sys.stdin):
    assert is_genuine(body.encode(), signature, secret) is expected, (signature, secret)
`;
    const cases = secrets.flatMap((secret) => {
      const { body, signature } = requestSignedWith(secret);
      return [
        [body, signature, secret, true],
        [`${body} `, signature, secret, false],
        [body, 'sha256=ü', secret, false],
        [body, null, secret, false],
      ];
    });
    const file = join(await makeTempFolder(), 'snippet.py');
    await writeFile(file, `${snippet('python')}${check}`);
    const input = JSON.stringify(cases);
    const { status, stderr } = spawnSync('python3', [file], { input, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('shows a subscription file that is valid', () => {
    const environment = { SHOP_WEBHOOK_SECRET: 'x' };
    const text = snippet('json', 0);
    expect(parseSubscriptions({ file: 'webhooks.json', text, environment })).toHaveLength(1);
  });

  it('shows a body with the fields that are sent', () => {
    const sent = JSON.parse(requestSignedWith('x').body);
    expect(Object.keys(JSON.parse(snippet('json', 1)))).toEqual(Object.keys(sent));
  });
});
