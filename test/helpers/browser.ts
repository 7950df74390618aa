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
  // Pages keep their frame when they navigate, because a new frame takes a third more processor time. Chromium uses
  // only the last such list, so this one includes Playwright's two features.
  '--enable-features=CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies,RenderDocument:level/crashed-frame',
];

/** The browser of this process, which runs its files in sequence. */
let running: Promise<Browser> | undefined;

/**
 * Returns a real headless Chromium, shared by all files of a process, because starting it takes longer than many files.
 * Every file closes its pages (`closePages`) after its tests. The browser exits with the process.
 */
export async function openBrowser(): Promise<Browser> {
  const browser = await running?.catch(() => undefined);
  if (browser?.isConnected()) return browser;
  running = launchBrowser();
  return running;
}

/** Closes every page and removes its data, so that the next file starts without pages. */
export async function closePages(): Promise<void> {
  const browser = await running;
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}

function launchBrowser(): Promise<Browser> {
  // Chromium may crash if the environment specifies no language, as in minimal containers.
  const env = { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', LANGUAGE: 'en' };
  return playwright.launch({ executablePath: inject('chromium'), args, env, timeout: patience });
}

/** Time after which a test fails if a page does not respond, in milliseconds. A busy machine may be slow. */
const patience = 60_000;

/** Keeps messages that would disappear after a few seconds, because a busy machine may be too slow to read them. */
const withoutLongTimers = `{
  const { setTimeout } = window;
  window.setTimeout = (run, delay, ...values) => delay >= 5000 ? 0 : setTimeout(run, delay, ...values);
}`;

export interface WatchedPage {
  readonly page: Page;
  /** Problems of a page: errors, warnings, requests to other hosts. */
  readonly problems: string[];
}

export interface OpenOptions extends BrowserContextOptions {
  /** Console lines that the test causes, such as a failed request. */
  readonly expected?: RegExp;
}

/** Opens a page in a separate context, with animations off, and observes it from its first request on. */
export async function openPage(
  browser: Browser,
  url: string,
  { expected, ...options }: OpenOptions = {},
): Promise<WatchedPage> {
  return openTab(await openContext(browser, options), url, expected ? { expected } : {});
}

/** Opens a context with animations off and without messages that disappear. Its tabs belong to one person. */
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

/** Opens a page in a context that others may share, which is faster because most files are cached. */
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

/** Target size is a rule of WCAG 2.2 that axe does not check by default. */
const everything = { rules: { 'target-size': { enabled: true } } };

/** The rules about colours, which are the only ones that may differ for a page with different colours. */
const colours = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

/**
 * Returns axe-core's violations on the current page, one line each, including best practices. The first run after a
 * page has loaded takes twice as long as others, so test several states of one load.
 */
export async function findAxeViolations(
  page: Page,
  scope: 'everything' | 'colours' = 'everything',
): Promise<string[]> {
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(axeSource);
  const options = scope === 'colours' ? colours : everything;
  const parameters = JSON.stringify({ resultTypes: ['violations'], ...options });
  // Omits the passed checks, which are much more data.
  const call = `axe.run(document, ${parameters}).then(({ violations }) => violations)`;
  const violations = await page.evaluate<AxeViolations>(call);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
}
