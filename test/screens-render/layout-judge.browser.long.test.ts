import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closePages, openBrowser } from '../helpers/browser.js';
import { judgeScript } from './layout/judge.js';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(closePages);

const long = 'Rechtsschutzversicherungsgesellschaften'.repeat(5);

/** HTML fragments with one fault each. */
const pieces = {
  'wider than the window': `<p>${long}</p>`,
  'scrolled sideways': `<div style="overflow:auto">${long}</div>`,
  cut: '<div style="overflow:hidden;width:80px;white-space:nowrap">more than there is room for</div>',
  'outside its box':
    '<div style="border:1px solid;width:60px;white-space:nowrap">more than its box</div>',
  overlaps: '<p style="margin:0">one</p><p style="margin:-18px 0 0">other</p>',
  squeezed: '<p style="width:24px;overflow-wrap:anywhere">one letter after the other</p>',
  'broken word':
    '<div class="card"><p style="width:70px;word-break:break-all">consequences of it</p></div>',
  'small target':
    '<button style="height:12px;font-size:6px;padding:0">a</button><button style="height:12px;font-size:6px;padding:0">b</button>',
};

it.each(Object.entries(pieces))(
  'the layout judge detects a fault of the kind “%s”',
  async (rule, piece) => {
    const page = await browser.newPage({ viewport: { width: 320, height: 600 } });
    await page.setContent(`<body style="margin:8px">${piece}`);
    const find = `${judgeScript}; layoutJudge.findFaults(document.body).map(({ rule }) => rule)`;
    expect(await page.evaluate<string[]>(find)).toContain(rule);
    await page.close();
  },
);

it('the layout judge accepts a table that scrolls in its own region and a cut text whose link leads to the full text', async () => {
  const page = await browser.newPage({ viewport: { width: 320, height: 600 } });
  await page.setContent(`<body style="margin:8px">
    <div style="overflow:auto" tabindex="0" role="region" aria-label="Rows"><table style="width:900px"><tr><td>Row</table></div>
    <a href="#whole" style="display:block;width:90px;overflow:hidden;white-space:nowrap">The whole text is below</a>
    <p id="whole">The whole text is below</p>`);
  const find = `${judgeScript}; layoutJudge.findFaults(document.body)`;
  expect(await page.evaluate(find)).toEqual([]);
  await page.close();
});
