import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { demoContent } from '../../src/site/demo.js';
import { startTestServer } from '../helpers/test-server.js';

describe('the demo', () => {
  it('contains the products of `demoContent` unchanged', async () => {
    const server = await startTestServer({ demo: true, only: 'site' });
    try {
      const answer = await fetch(`${server.site}/api/products`);
      expect(await answer.json()).toMatchObject({ data: demoContent.products });
    } finally {
      await server.close();
    }
  });

  it.each(demoContent.products)(
    'has a small, self-contained picture for $name',
    async ({ image }) => {
      const picture = await readFile(new URL(`../../public${image}`, import.meta.url), 'utf8');
      expect(picture.length).toBeLessThan(4000);
      expect(picture).not.toMatch(/<script|(?:href|src)="(?!#)|url\(/i);
    },
  );
});
