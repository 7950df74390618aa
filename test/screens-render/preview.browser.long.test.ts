import { rename, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { startPreview } from '../../src/screens/preview/server.js';
import { closePages, findAxeViolations, openBrowser, openPage } from '../helpers/browser.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { queue } from './samples.js';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(closePages);

async function preview(definition: unknown): Promise<{ url: string; file: string }> {
  const file = join(await makeTempFolder(), 'a.screen.json');
  await writeFile(file, JSON.stringify(definition));
  const stop = new AbortController();
  const { url, ended } = await startPreview({
    file,
    port: 0,
    locale: 'en',
    lint: {},
    maxBytes: 20_000_000,
    clock: systemClock,
    signal: stop.signal,
  });
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  return { url, file };
}

async function open(url: string) {
  const opened = await openPage(browser, url);
  onTestFinished(() => opened.page.context().close());
  const frame = opened.page.frameLocator('#screen');
  await frame.locator('h1').waitFor();
  return { ...opened, frame };
}

describe('preview-screen', () => {
  it('reloads when the file changes, even if it is replaced', async () => {
    const { url, file } = await preview(queue);
    const { frame, problems } = await open(url);
    await writeFile(
      file,
      JSON.stringify({ ...queue, product: { ...queue.product, name: 'Second' } }),
    );
    await frame.getByRole('heading', { name: 'Second', exact: true }).waitFor();
    await writeFile(
      `${file}.new`,
      JSON.stringify({ ...queue, product: { ...queue.product, name: 'Third' } }),
    );
    await rename(`${file}.new`, file);
    await frame.getByRole('heading', { name: 'Third', exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  it('keeps the last valid version while the file is not JSON, and reports the location of the error', async () => {
    const { url, file } = await preview(queue);
    const { page, frame, problems } = await open(url);
    await writeFile(file, '{"product": {,');
    await page.getByText('Invalid JSON. This is the last valid version.').waitFor();
    await expect.poll(() => page.locator('#list').textContent()).toContain('1:14');
    await expect.poll(() => frame.locator('h1').textContent()).toBe('Contracts');
    await writeFile(file, JSON.stringify({ ...queue, product: { name: 'Back', entity: 'x' } }));
    await frame.getByRole('heading', { name: 'Back', exact: true }).waitFor();
    await expect.poll(() => page.locator('#state').textContent()).toBe('');
    expect(problems).toEqual([]);
  });

  it('marks the parts of the screen that have findings', async () => {
    const scenario = { ...queue.scenario, approveTo: 'gone' };
    const { url } = await preview({ ...queue, archetype: 'kanban', scenario });
    const { page, frame } = await open(url);
    await frame.locator('#scenario[data-finding="warning"]').waitFor();
    await expect.poll(() => frame.getByText('Unknown archetype “kanban”').isVisible()).toBe(true);
    await page.getByRole('button', { name: /scenario/ }).click();
    await frame.locator('#scenario.revealed').waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
  });

  it('switches archetype, width, theme, locale and window size', async () => {
    const { url } = await preview({ ...queue, inbox: { bodyKey: 'subject' } });
    const { page, frame } = await open(url);
    await page.getByLabel('Archetype').selectOption('inbox');
    await frame.locator('[data-archetype="inbox"]').waitFor();
    await page.getByLabel('Width').selectOption('reading');
    await frame.locator('main.width-reading').waitFor();
    await page.getByLabel('Locale').selectOption('kk');
    await frame.locator('html[lang="kk"]').waitFor();
    await page.getByLabel('Theme').selectOption('dark');
    await frame.locator('html[data-theme="dark"]').waitFor();
    await page.getByLabel('Window').selectOption('360');
    await expect.poll(async () => (await page.locator('#screen').boundingBox())?.width).toBe(360);
  });

  it.each([
    ['evil.test', '/', 'GET', 421],
    ['127.0.0.1.evil.test', '/state', 'GET', 421],
    ['localhost', '/', 'GET', 200],
    ['127.0.0.1', '/', 'POST', 405],
    ['127.0.0.1', '/../package.json', 'GET', 404],
    ['127.0.0.1', '/constructor', 'GET', 404],
  ])('responds to host %s, path %s and method %s with %d', async (host, path, method, status) => {
    const { url } = await preview(queue);
    const received = await new Promise<number | undefined>((resolve, reject) => {
      request(url, { path, method, headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(received).toBe(status);
  });
});
