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

/** Names of properties whose values are not free text: keys, kinds, dates and chart values. */
const meant =
  /^(archetype|layout|tone|type|view|language|bucket|align|width|color|op|key|sub|groupBy|dateKey|titleKey|bodyKey|subKey|timeKey|filterKeys|values|status|approveTo|rejectTo|a|b|date|icon|docType|format|value)$/;

/** Replaces each free text with a direction mark and letters that look the same in both directions. */
function marked(definition: object, mark: string): unknown {
  const statuses = new Set(Object.keys((definition as { statuses?: object }).statuses ?? {}));
  const change = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') {
      const stays = meant.test(name) || statuses.has(value) || /^\d{4}-\d\d-\d\d$/.test(value);
      return stays ? value : `${mark}${'x'.repeat(Math.min(value.length, 12))}`;
    }
    if (Array.isArray(value)) return value.map((item) => change(item, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item, key)]));
  };
  return change(definition, '');
}

interface Letter {
  readonly sign: string;
  /** Distance from the edges of the window, in pixels. */
  readonly left: number;
  readonly top: number;
}

/** Returns every visible letter with its position. */
async function lettersOf(page: Page): Promise<readonly Letter[]> {
  return page.evaluate<Letter[]>(`(() => {
    const letters = [];
    const range = document.createRange();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (let at = 0; at < node.data.length; at += 1) {
        const sign = node.data[at];
        if (/[\\s\\u202a-\\u202e\\u2066-\\u2069]/.test(sign)) continue;
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const { left, top, width } = range.getBoundingClientRect();
        if (width > 0) letters.push({ sign, left, top });
      }
    }
    return letters;
  })()`);
}

/** Returns the letters that have no counterpart in the other page, ignoring fractions of a pixel. */
function moved(from: readonly Letter[], to: readonly Letter[]): readonly Letter[] {
  return from.filter(
    ({ sign, left, top }) =>
      !to.some(
        (other) =>
          other.sign === sign && Math.abs(other.left - left) < 1 && Math.abs(other.top - top) < 1,
      ),
  );
}

const [LEFT_TO_RIGHT, RIGHT_TO_LEFT] = ['\u202d', '\u202e'];

it.each(oneOfEach())(
  'right-to-left texts do not move their surroundings in $name',
  async ({ definition }) => {
    const { page } = await openScreen(browser, marked(definition, LEFT_TO_RIGHT));
    const upright = await lettersOf(page);
    expect(upright.length).toBeGreaterThan(50);
    await openScreen(browser, marked(definition, RIGHT_TO_LEFT));
    expect(moved(upright, await lettersOf(page))).toEqual([]);
  },
);
