import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  chromium as playwright,
} from 'playwright-core';
import { inject } from 'vitest';

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-dev-shm-usage',
  '--disable-sync',
  '--no-first-run',
  // A page keeps its frame when it goes to another address: a new one each time takes a third more processor time.
  // Chromium takes the last of these lists only: the first two are Playwright's own.
  '--enable-features=CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies,RenderDocument:level/crashed-frame',
];

/** The one of this process: its files are run one after the other. */
let running: Promise<Browser> | undefined;

/**
 * A real headless Chromium, the same one for all files that a process runs, as starting it takes longer than many of
 * them do. Every file closes its pages (`closePages`) when its tests are over; the browser ends with the process.
 */
export async function openBrowser(): Promise<Browser> {
  const browser = await running?.catch(() => undefined);
  if (browser?.isConnected()) return browser;
  running = launchBrowser();
  return running;
}

/** Closes every page, with all that it keeps, so that the next file finds none. */
export async function closePages(): Promise<void> {
  const browser = await running;
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}

function launchBrowser(): Promise<Browser> {
  // It breaks down sooner or later where the environment names no language, as in bare containers.
  const env = { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', LANGUAGE: 'en' };
  return playwright.launch({ executablePath: inject('chromium'), args, env, timeout: patience });
}

/** Milliseconds until something that a page does not do fails the test; a busy machine may be slow. */
const patience = 60_000;

/** Messages that go away after seconds stay: a busy machine may be too slow to read them. */
const withoutLongTimers = `{
  const { setTimeout } = window;
  window.setTimeout = (run, delay, ...given) => delay >= 5000 ? 0 : setTimeout(run, delay, ...given);
}`;

export interface WatchedPage {
  readonly page: Page;
  /** Everything that a page must not do: errors, warnings, requests to other hosts. */
  readonly problems: string[];
}

export interface OpenOptions extends BrowserContextOptions {
  /** Console lines that the test brings about itself, such as a failed request. */
  readonly expected?: RegExp;
}

/** A page in a context of its own, with animations off; it is watched from before its first request. */
export async function openPage(
  browser: Browser,
  url: string,
  { expected, ...options }: OpenOptions = {},
): Promise<WatchedPage> {
  return openTab(await openContext(browser, options), url, expected ? { expected } : {});
}

/** A context with animations off and without messages that go away: several tabs of one person. */
export async function openContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(patience);
  await context.addInitScript(withoutLongTimers);
  return context;
}

/** A page in a context that others may share, which is quicker: it has most files already. */
export async function openTab(
  context: BrowserContext,
  url: string,
  {
    expected,
    prepare,
  }: Pick<OpenOptions, 'expected'> & { prepare?: ((page: Page) => unknown) | undefined } = {},
): Promise<WatchedPage> {
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return;
    if (!expected?.test(message.text())) problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (!['data:', 'blob:'].includes(protocol) && origin !== new URL(url).origin) {
      problems.push(`to ${origin}`);
    }
  });
  await prepare?.(page);
  await page.goto(url);
  return { page, problems };
}

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

type AxeViolations = readonly {
  readonly id: string;
  readonly nodes: readonly {
    readonly target: readonly string[];
    readonly failureSummary?: string;
  }[];
}[];

/** Target size is a rule of WCAG 2.2 that axe leaves off unless it is asked for. */
const everything = { rules: { 'target-size': { enabled: true } } };

/** The rules about colours: all that may differ where a page has other colours and is the same otherwise. */
const colours = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

/**
 * axe-core's violations on the page as it stands, one line each; best practices included. The first run after
 * a page has loaded takes twice as long as others, so that several states of one load are quicker than as many loads.
 */
export async function findAxeViolations(
  page: Page,
  about: 'everything' | 'colours' = 'everything',
): Promise<string[]> {
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(axeSource);
  const options = about === 'colours' ? colours : everything;
  const given = JSON.stringify({ resultTypes: ['violations'], ...options });
  // All that axe found in order would be many times as much to bring here.
  const call = `axe.run(document, ${given}).then(({ violations }) => violations)`;
  const violations = await page.evaluate<AxeViolations>(call);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
}
