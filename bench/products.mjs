// GET /api/products beside a bare Koa that stringifies the same list, with and without If-None-Match.
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
    const etag = (await fetch(url)).headers.get('etag');
    const perSecond = async (request) => (await load(request)).perSecond;
    const bare = () => perSecond({ url: `${floor.url}/api/products` });
    const full = await compare(() => perSecond({ url }), bare);
    const cached = await compare(
      () => perSecond({ url, headers: { 'If-None-Match': etag } }),
      bare,
    );
    return [
      { name: 'GET /api/products, 20 products, 32 connections', aim: 1.0, ...full },
      { name: 'the same with If-None-Match', aim: 1.2, ...cached },
    ];
  });
}
