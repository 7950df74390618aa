import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/base/errors.js';
import type { EventName } from '../../src/events/event.js';
import { resolveSubscription } from '../../src/events/subscription.js';
import {
  identify,
  parseSubscriptions,
} from '../../src/webhooks/subscriptions/subscription-file.js';

const environment = { HOOK_SECRET: 'from the environment' };

function parse(value: unknown) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return parseSubscriptions({ file: 'webhooks.json', text, environment });
}

function faultsOf(text: string): string[] {
  try {
    parse(text);
  } catch (error) {
    if (!(error instanceof AppError) || !Array.isArray(error.details)) throw error;
    return error.details.map(({ path, message }) => `${path}: ${message}`);
  }
  return [];
}

const url = 'https://shop.example/hooks';

describe('webhooks.json', () => {
  it('is read in order, with a key for each secret', () => {
    const found = parse([
      { url, events: ['payment.success'], secret: 'clear' },
      { url, events: ['payment.failed'], secret: 'env:HOOK_SECRET' },
      { url, events: ['payment.expired'] },
    ]);
    expect(found.map(({ events }) => events[0])).toEqual([
      'payment.success',
      'payment.failed',
      'payment.expired',
    ]);
    expect(found.map(({ keys }) => keys.length)).toEqual([1, 1, 0]);
  });

  it('can be empty, and can begin with a byte order mark', () => {
    expect(parse('[]')).toEqual([]);
    expect(parse('\uFEFF[]')).toEqual([]);
  });

  it.each([
    ['', 'webhooks.json:1:1: This is not JSON: the file is empty.'],
    ['[{]', 'webhooks.json:1:3: This is not JSON: expected a property name in double quotes.'],
    ['{}', 'webhooks.json:1:1: the file must be a list (type)'],
    ['[\n  {"events": ["payment.success"]}]', 'webhooks.json:2:3: /0/url is required (required)'],
    [
      '[{"url": "ftp://x/", "events": ["payment.success"]}]',
      'webhooks.json:1:10: /0/url must be an http or https address (pattern)',
    ],
    [
      '[{"url": "http://a:99999/", "events": ["payment.success"]}]',
      'webhooks.json:1:10: /0/url is not a valid URL',
    ],
    [
      '[{"url": "http://a/",\n "events": ["payment.success",\n "payment.paid"]}]',
      'webhooks.json:3:2: /0/events/1 must be one of payment.success, payment.failed, payment.expired (enum)',
    ],
    [
      '[{"url": "http://a/", "events": ["payment.success"], "secert": "x"}]',
      'webhooks.json:1:54: /0/secert is not a known property (additionalProperties)',
    ],
    [
      '[{"url": "http://a/", "url": "http://b/", "events": ["payment.success"]}]',
      'webhooks.json:1:23: /0/url is given twice',
    ],
    [
      '[{"url": "http://a/", "events": ["payment.success"],\n"secret": "env:NOT_SET"}]',
      'webhooks.json:2:11: /0/secret: The environment variable NOT_SET is not set.',
    ],
    [
      '[{"url": "http://a/", "events": ["payment.success"],\n"secret": "whsec_???"}]',
      'webhooks.json:2:11: /0/secret: The part of a secret after whsec_ must be base64.',
    ],
    ['"secret": []', 'webhooks.json:2:11: /0/secret must not be empty (minItems)'],
    ['"secret": ["a", "a"]', 'webhooks.json:2:11: /0/secret must NOT have duplicate items'],
    ['"secret": ["a", ""]', 'webhooks.json:2:17: /0/secret/1 must not be empty (minLength)'],
    [
      '"secret": ["a", "env:NOT_SET"]',
      'webhooks.json:2:17: /0/secret/1: The environment variable NOT_SET is not set.',
    ],
    ['"secret": 7', 'webhooks.json:2:11: /0/secret must be text or a list (type)'],
    ['"enabled": "no"', 'webhooks.json:2:12: /0/enabled must be true or false (type)'],
    [
      '"filter": {"types": ["card"]}',
      'webhooks.json:2:22: /0/filter/types/0 must be one of qr, invoice (enum)',
    ],
    [
      '"filter": {"organizations": ["7"]}',
      'webhooks.json:2:30: /0/filter/organizations/0 must be a whole number (type)',
    ],
    [
      '"filter": {"amount": 1}',
      'webhooks.json:2:12: /0/filter/amount is not a known property (additionalProperties)',
    ],
    ['"headers": {"X-A": 1}', 'webhooks.json:2:20: /0/headers/X-A must be text (type)'],
    [
      '"headers": {"X-A": "a\\r\\nX-Webhook-Id: b"}',
      'webhooks.json:2:20: /0/headers/X-A must be ASCII text without line breaks or other control characters',
    ],
    [
      '"headers": {"x-webhook-ID": "a"}',
      'webhooks.json:2:29: /0/headers/x-webhook-ID is a header that msgsite sets itself',
    ],
    [
      '"headers": {"Transfer-Encoding": "chunked"}',
      'webhooks.json:2:34: /0/headers/Transfer-Encoding is a header that msgsite sets itself',
    ],
    ['"headers": {"a b": "x"}', 'webhooks.json:2:20: /0/headers/a b is not a valid header name'],
    ['"headers": {"A": "x", "a": "y"}', 'webhooks.json:2:28: /0/headers/a is given twice'],
    [
      `"headers": {"A": "${'x'.repeat(4096)}", "B": "${'y'.repeat(4096)}"}`,
      'webhooks.json:2:12: /0/headers must have at most 8 KB in total',
    ],
  ])('is rejected with the position and rule of a fault: %j', (line, fault) => {
    const isWhole = !/^"(secret|enabled|filter|headers)"/.test(line);
    const text = `[{"url": "http://a/", "events": ["payment.success"],\n${line}}]`;
    expect(faultsOf(isWhole ? line : text).join('\n')).toContain(fault);
  });

  it('can contain all optional fields of a subscription', () => {
    const events = ['payment.success'];
    const headers = { Authorization: 'Bearer a~b', 'X-Two': '' };
    const filter = { types: ['qr'], organizations: [7, 8] };
    const entry = { url, events, enabled: false, description: 'Ә', headers, filter };
    expect(parse([{ ...entry, secret: ['a', 'env:HOOK_SECRET'] }])).toMatchObject([
      { enabled: false, headers, filter, keys: { length: 2 } },
    ]);
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`X-${n}`, '']));
    expect(faultsOf(JSON.stringify([{ url, events, headers: many }]))).toHaveLength(1);
  });

  it('can contain 1,000 subscriptions, and is rejected with more', () => {
    const entries = (count: number) =>
      Array.from({ length: count }, () => ({ url, events: ['payment.success'] }));
    expect(parse(entries(1000))).toHaveLength(1000);
    expect(faultsOf(JSON.stringify(entries(1001)))).toEqual([
      'webhooks.json:1:1: the file must have at most 1000 entries (maxItems)',
    ]);
  });

  it.each([
    ['lists', '['.repeat(100_000), 'webhooks.json:1:65'],
    ['objects', '{"a":'.repeat(100_000), 'webhooks.json:1:321'],
    ['closed lists', `${'['.repeat(5000)}${']'.repeat(5000)}`, 'webhooks.json:1:65'],
  ])('is rejected with %s that are nested too deeply', (_, text, location) => {
    expect(faultsOf(text)).toEqual([`${location}: nested more than 64 levels deep`]);
  });

  it('is rejected with the first 100 of many faults', () => {
    const keys = Array.from({ length: 30_000 }, (_, index) => `"k${index}": 1`).join(',\n');
    const faults = faultsOf(`[{"url": "http://a/", "events": ["payment.success"],\n${keys}}]`);
    expect(faults).toHaveLength(101);
    expect(faults.at(-1)).toMatch(/^webhooks.json: and at least \d+ more$/);
  });

  it('is rejected with a list of all faults that contains no secrets', () => {
    const faults = faultsOf(
      '[{"url": 1, "events": [], "secret": "env:NOT_SET"}, {"url": "http://a/", "events": ["x"], "secret": "s3cr3t"}, 7]',
    );
    expect(faults).toHaveLength(5);
    expect(faults.join()).not.toContain('s3cr3t');
  });
});

describe('the ID of a subscription', () => {
  const a = { url, events: ['payment.success'] } as const;
  const b = { ...a, events: ['payment.failed', 'payment.success'] } as const;
  const c = { ...a, secret: 'env:HOOK_SECRET' };

  it('does not depend on the order of entries and events', () => {
    const [idA, idB, idC] = identify([a, b, c]);
    const turned = { ...b, events: ['payment.success', 'payment.failed'] } as const;
    expect(identify([c, turned, a])).toEqual([idC, idB, idA]);
  });

  it('differs for equal entries', () => {
    expect(new Set(identify([a, a, a])).size).toBe(3);
  });

  it('does not change when a new secret precedes the old one, but depends on the filter', () => {
    const filter = { types: ['qr'] } as const;
    const list = { ...c, secret: ['whsec_new', 'env:HOOK_SECRET'] };
    expect(identify([list])).toEqual(identify([c]));
    expect(identify([{ ...a, filter: {}, headers: { A: 'b' }, enabled: false }])).toEqual(
      identify([a]),
    );
    const [idA, idFiltered] = identify([a, { ...a, filter }]);
    expect(identify([{ ...a, filter }, a])).toEqual([idFiltered, idA]);
  });

  it('does not change when a secret is rotated', () => {
    const entry = { url, events: ['payment.success'] };
    const [before] = parse([{ ...entry, secret: 'old' }]);
    const [after] = parse([{ ...entry, secret: 'new' }]);
    expect(after?.id).toBe(before?.id);
  });

  it('is accompanied by a display URL without user name and password', () => {
    const [found] = parse([{ url: 'https://me:pw@a.example/x?y=1', events: ['payment.success'] }]);
    expect(found?.displayUrl).toBe('https://a.example/x?y=1');
    expect(found?.url).toContain('me:pw@');
  });
});

const of = (event: EventName) => ({ event, type: 'qr' as const, organizationId: 7 });

describe('resolveSubscription', () => {
  const [first, second] = parse([
    { url, events: ['payment.success'] },
    { url, events: ['payment.success', 'payment.failed'] },
  ]);
  const all = [first, second].filter((each) => each !== undefined);

  it('returns the same entry, or otherwise one with the same address for the event', () => {
    const reference = { id: second?.id ?? '', url };
    expect(resolveSubscription(all, reference, of('payment.success'))).toBe(second);
    const edited = { id: 'sub_before_the_edit', url };
    expect(resolveSubscription(all, edited, of('payment.failed'))).toBe(second);
    expect(resolveSubscription(all, edited, of('payment.expired'))).toBeUndefined();
    expect(resolveSubscription(all, { ...edited, url: 'http://b/' }, of('payment.failed'))).toBe(
      undefined,
    );
  });
});
