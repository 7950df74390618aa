import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import type { Locale } from '../../../src/screens/render/format.js';
import { renderScreen } from '../../../src/screens/render/render-screen.js';

/** A part of a page that a reader cannot read, reach or distinguish. */
export interface LayoutFault {
  /** The definition: a file of the corpus, or archetype and seed. */
  readonly of: string;
  readonly width: number;
  /** State of the window: colour scheme, medium, text size, and open dialog or popover. */
  readonly mode: string;
  readonly rule: string;
  readonly selector: string;
  readonly text: string;
}

export interface Judged {
  readonly name: string;
  readonly definition: Readonly<Record<string, unknown>>;
}

/** Widths at which every screen is checked. */
export const widths = [320, 390, 768, 1280, 1920] as const;

/** Width of A4 without margins of 12 mm, in portrait and in landscape. */
const sheets = { upright: 703, across: 1032 } as const;

/** Settings of readers with the widths at which they are checked. Doubled text is checked only in wide windows. */
const changed = { doubleText: [768, 1280, 1920], spaceText: [320, 390, 1280] } as const;

/** A script that finds faults in a page. It defines `layoutJudge`. */
export const judgeScript = buildSync({
  entryPoints: [fileURLToPath(new URL('page/main.js', import.meta.url))],
  bundle: true,
  write: false,
  format: 'iife',
  globalName: 'layoutJudge',
}).outputFiles[0]?.text;

/** A script that prepares a page for the check. */
const prepare = `${judgeScript}; globalThis.layoutJudge = layoutJudge; layoutJudge.disableHyphenation()`;

type Seen = Pick<LayoutFault, 'rule' | 'selector' | 'text'>;

const folder = mkdtempSync(join(tmpdir(), 'msgsite-layout-'));

/** Opens two pages in a browser, one of them without JavaScript, and checks definitions on them. */
export async function openJudge(browser: Browser) {
  const open = async (javaScriptEnabled: boolean): Promise<Page> => {
    const context = await browser.newContext({ javaScriptEnabled, reducedMotion: 'reduce' });
    context.setDefaultTimeout(60_000);
    // Before the first layout, the script saves a second layout. Pages without JavaScript run it later.
    if (javaScriptEnabled) await context.addInitScript(prepare);
    return context.newPage();
  };
  const pages = { scripted: await open(true), bare: await open(false) };
  return {
    /** Returns all faults of a definition. `turn` selects the conditions that are not checked at every width. */
    judge: (judged: Judged, turn: number) => judge(pages, judged, turn),
  };
}

async function judge(
  { scripted, bare }: { scripted: Page; bare: Page },
  { name, definition }: Judged,
  turn: number,
): Promise<LayoutFault[]> {
  const { language = 'ru' } = definition.product as { readonly language?: Locale };
  const file = join(folder, 'screen.html');
  writeFileSync(file, renderScreen(definition, { locale: language }));
  const url = pathToFileURL(file).href;
  const faults: LayoutFault[] = [];
  const look = async (page: Page, width: number, mode: string, root = 'document.body') => {
    const seen = await page.evaluate<Seen[]>(`layoutJudge.findFaults(${root})`);
    faults.push(...seen.map((fault) => ({ of: name, width, mode, ...fault })));
  };
  const show = async (page: Page, width: number): Promise<void> => {
    // Otherwise, the previous content would be laid out again for each change of the window.
    await page.evaluate('document.documentElement.remove()');
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
    await page.goto(url);
    if (page === bare) await page.evaluate(prepare);
  };
  const close = `for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close()`;

  await show(scripted, widths[0]);
  await lookInside(scripted, widths[0], '', look);
  await scripted.evaluate(close);
  for (const [index, width] of widths.entries()) {
    const colorScheme = (turn + index) % 2 === 0 ? 'light' : 'dark';
    await Promise.all([
      scripted.setViewportSize({ width, height: 800 }),
      scripted.emulateMedia({ colorScheme }),
    ]);
    await look(scripted, width, colorScheme);
  }
  await Promise.all([
    scripted.setViewportSize({ width: sheets.upright, height: 1000 }),
    scripted.emulateMedia({ media: 'print' }),
  ]);
  const across = await scripted.evaluate<boolean>(
    "getComputedStyle(document.body).page !== 'auto'",
  );
  const sheet = across ? sheets.across : sheets.upright;
  if (across) await scripted.setViewportSize({ width: sheet, height: 1000 });
  await scripted.evaluate("dispatchEvent(new Event('beforeprint'))");
  await look(scripted, sheet, 'print');

  const change = turn % 2 === 0 ? 'doubleText' : 'spaceText';
  const width = changed[change][(turn >> 1) % 3] ?? widths[0];
  await show(scripted, width);
  await scripted.evaluate(`layoutJudge.${change}()`);
  await lookInside(scripted, width, change, look);
  await scripted.evaluate(close);
  await look(scripted, width, change);

  const bareWidth = widths[(turn + 1) % widths.length] ?? widths[0];
  await show(bare, bareWidth);
  await look(bare, bareWidth, 'no script');
  return faults;
}

/** Dialogs and popovers with the scripts that open them. Each one is checked separately. */
const layers = {
  onboarding: '',
  create: 'layer.showModal()',
  confirm: 'layer.showModal()',
  assistant: 'layer.showModal()',
  drawer: "document.querySelector('[data-row] .open').click()",
  nav: 'layer.showPopover()',
  notices: 'layer.showPopover()',
} as const;

async function lookInside(
  page: Page,
  width: number,
  mode: string,
  look: (page: Page, width: number, mode: string, root: string) => Promise<void>,
): Promise<void> {
  for (const [id, open] of Object.entries(layers)) {
    const root = `document.getElementById('${id}')`;
    const opened = await page.evaluate<boolean>(`{
      const layer = ${root};
      if (layer) {
        for (const dialog of document.querySelectorAll('dialog[open]')) {
          if (dialog !== layer) dialog.close();
        }
        try { ${open} } catch { /* The screen has no list. */ }
      }
      layer !== null && layer.matches(':modal, :popover-open');
    }`);
    if (opened) await look(page, width, [mode, id].filter(Boolean).join(' '), root);
    await page.evaluate(
      `{ const layer = ${root}; if (layer?.matches(':popover-open')) layer.hidePopover(); }`,
    );
  }
}
