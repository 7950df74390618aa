import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createDelivery } from '../../src/events/delivery.js';
import { buildRequest } from '../../src/webhooks/delivering/request.js';
import { createSigningKey } from '../../src/webhooks/signature.js';
import { parseSubscriptions } from '../../src/webhooks/subscriptions/subscription-file.js';
import { sampleEvent } from './samples.js';

const page = await readFile(new URL('../../docs/payments/webhooks.md', import.meta.url), 'utf8');

/** Returns the nth code block of a language on the page. */
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

describe('docs/payments/webhooks.md', () => {
  it('contains a valid subscription file', () => {
    const environment = { SHOP_WEBHOOK_SECRET: 'x' };
    const text = snippet('json', 0);
    expect(parseSubscriptions({ file: 'webhooks.json', text, environment })).toHaveLength(1);
  });

  it('contains a body with exactly the fields that are sent', () => {
    const sent = JSON.parse(requestSignedWith('x').body);
    expect(Object.keys(JSON.parse(snippet('json', 1)))).toEqual(Object.keys(sent));
  });
});
