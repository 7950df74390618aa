// Measures the pages for visitors: a product's page compared with plain Koa and plain Node.js that send the
// same text, and a shop of 2,000 products.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { call } from './lib/api.mjs';
import { compare, load } from './lib/load.mjs';
import { startFloor, startSite } from './lib/processes.mjs';
import { products } from './lib/products.mjs';
import { withTemporary } from './lib/temporary.mjs';

const many = 2_000;

export function run() {
  return withTemporary(async ({ folder, started }) => {
    const site = await started(startSite(join(folder, 'data')));
    for (let index = 0; index < many; index += 1) {
      const { order, ...body } = products[index % products.length];
      const name = `${body.name}, ${index}`;
      await call(site.url, 'POST', '/api/admin/products', { body: { ...body, name } });
    }
    const path = '/products/20';
    const file = join(folder, 'page.html');
    await writeFile(file, await (await fetch(site.url + path)).text());
    const floor = await started(startFloor('floor-page', { PAGE: file }));
    const plain = await started(startFloor('floor-ready', { READY: file }));
    const perSecond = async (url, headers) => (await load({ url, headers })).perSecond;
    const bare = () => perSecond(floor.url + path);
    const full = await compare(() => perSecond(site.url + path), bare);
    const coded = { 'Accept-Encoding': 'br', 'Accept-Language': 'ru' };
    const compressed = await compare(() => perSecond(site.url + path, coded), bare);
    const ready = await compare(
      () => perSecond(site.url + path),
      () => perSecond(plain.url),
    );
    const search = await load({ url: `${site.url}/?q=picture%20999` }, { connections: 1 });
    return [
      { name: 'GET /products/:id, 32 connections', aim: 0.9, ...full },
      { name: 'GET /products/:id in Russian, compressed', aim: 0.9, ...compressed },
      {
        name: 'GET /products/:id, compared with node:http sending prepared text',
        aim: 0.55,
        ...ready,
      },
      {
        name: `a search among ${many} products`,
        report: `${Math.round(search.perSecond)} per second on one connection`,
      },
    ];
  });
}
