// Measures GET /api/products, with and without If-None-Match, compared with a plain Koa server that stringifies the
// same list and a plain Node.js server that sends the same bytes.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { call } from './lib/api.mjs';
import { compare, load } from './lib/load.mjs';
import { startFloor, startSite } from './lib/processes.mjs';
import { products } from './lib/products.mjs';
import { withTemporary } from './lib/temporary.mjs';

export function run() {
  return withTemporary(async ({ folder, started }) => {
    const site = await started(startSite(join(folder, 'data')));
    const floor = await started(startFloor('floor-products'));
    for (const { order, ...body } of products) {
      await call(site.url, 'POST', '/api/admin/products', { body });
    }
    const url = `${site.url}/api/products`;
    const answer = await fetch(url);
    const etag = answer.headers.get('etag');
    const file = join(folder, 'products.json');
    await writeFile(file, await answer.text());
    const plain = await started(startFloor('floor-ready', { READY: file }));
    const perSecond = async (request) => (await load(request)).perSecond;
    const bare = () => perSecond({ url: `${floor.url}/api/products` });
    const full = await compare(() => perSecond({ url }), bare);
    const cached = await compare(
      () => perSecond({ url, headers: { 'If-None-Match': etag } }),
      bare,
    );
    const ready = await compare(
      () => perSecond({ url }),
      () => perSecond({ url: plain.url }),
    );
    return [
      { name: 'GET /api/products, 20 products, 32 connections', aim: 1.8, ...full },
      {
        name: 'GET /api/products with If-None-Match, 20 products, 32 connections',
        aim: 2,
        ...cached,
      },
      {
        name: 'GET /api/products, compared with node:http sending prepared text',
        aim: 0.55,
        ...ready,
      },
    ];
  });
}
