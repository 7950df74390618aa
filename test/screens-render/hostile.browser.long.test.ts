import fc from 'fast-check';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closePages, openBrowser } from '../helpers/browser.js';
import { oneOfEach } from './corpus.js';
import { openScreen } from './open-screen.js';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(closePages);

const payloads = [
  '"><img data-evil src=x onerror=window.evil=1>',
  "'><svg data-evil onload=window.evil=1>",
  '</script><script>window.evil=1</script>',
  '</style><script data-evil>window.evil=1</script>',
  '</textarea></template></title><b data-evil>',
  'javascript:window.evil=1',
  '[x](javascript:window.evil=1) [y](data:text/html,<script>window.evil=1</script>)',
  '<a data-evil href="https://evil.test/">x</a>',
  '<!--<script>',
  ']]>--><b data-evil>',
  '"};window.evil=1;//',
  '\\3c b data-evil\\3e',
  '{n}{title}{__proto__}',
  '__proto__',
  '\u2028\u2029\u0000\u202e',
  '\ud800',
  '&lt;b data-evil&gt;&#60;b&#62;',
];

/** Properties with fixed values. All other texts are free. */
const fixed = new Set([
  'archetype',
  'layout',
  'tone',
  'type',
  'view',
  'language',
  'bucket',
  'align',
  'width',
  'color',
  'op',
  'key',
  'sub',
  'groupBy',
  'dateKey',
  'titleKey',
  'bodyKey',
  'subKey',
  'timeKey',
]);
const dictionaries = new Set(['statuses', 'answers']);

/** Prepends the payload to every free text and dictionary key of a definition. */
function poison(value: unknown, payload: string, name = ''): unknown {
  if (typeof value === 'string') return fixed.has(name) ? value : payload + value;
  if (Array.isArray(value)) return value.map((item) => poison(item, payload, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      dictionaries.has(name) ? payload + key : key,
      poison(item, payload, key),
    ]),
  );
}

/** Activates every kind of control, so that every text passes through the page script. */
async function operateAll(page: Page): Promise<void> {
  await page.evaluate(`
    for (const selector of ['a.open', '[data-step]', '[data-act]', '#confirm [value=ok]', '[data-undo]',
      '[data-sort]', '[data-filter]', '[data-range]', '[data-page]', '[data-ask]', '[data-create]',
      '#create [value=ok]', '[data-slide]', '[data-mode]', '[data-wizard]', '[data-artifact-action]', '.nav-item']) {
      for (const element of [...document.querySelectorAll(selector)].slice(0, 3)) element.click();
    }
    for (const bar of document.querySelectorAll('[data-item]')) {
      bar.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    }
    const search = document.querySelector('#search');
    search.value = 'a';
    search.dispatchEvent(new Event('input', { bubbles: true }));
    const ask = document.querySelector('#chat .ask input');
    if (ask) { ask.value = '<b data-evil>'; ask.form.requestSubmit(); }
  `);
}

async function check(page: Page): Promise<void> {
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 20))');
  expect(await page.evaluate('window.evil')).toBeUndefined();
  expect(await page.locator('[data-evil]').count()).toBe(0);
  const links = await page.evaluate<string[]>(
    "[...document.querySelectorAll('a')].map((link) => link.protocol)",
  );
  expect(links.filter((protocol) => !['file:', 'http:', 'https:'].includes(protocol))).toEqual([]);
}

it.each(oneOfEach())(
  'the archetype $archetype shows hostile text in every field as plain text',
  async ({ definition }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.constantFrom(...payloads), fc.string({ unit: 'binary' })), {
          minLength: 1,
          maxLength: 4,
        }),
        fc.boolean(),
        async (parts, preview) => {
          const { page, problems } = await openScreen(browser, poison(definition, parts.join('')), {
            render: { preview },
          });
          await operateAll(page);
          await check(page);
          expect(problems).toEqual([]);
        },
      ),
      { numRuns: 2 },
    );
  },
);

it('a screen shows all hostile payloads together as plain text', async () => {
  for (const { definition } of oneOfEach().slice(0, 3)) {
    const { page, problems } = await openScreen(browser, poison(definition, payloads.join('')));
    await operateAll(page);
    await check(page);
    expect(problems).toEqual([]);
  }
});
