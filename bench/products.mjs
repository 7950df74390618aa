// GET /api/products beside a bare Koa that stringifies the same list, with and without If-None-Match.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compare, load } from './lib/load.mjs';
import { startFloor, startSite } from './lib/processes.mjs';
import { products } from './lib/products.mjs';

export async function run() {
  const folder = await mkdtemp(join(tmpdir(), 'msgsite-bench-'));
  const site = await startSite(join(folder, 'data'));
  const floor = await startFloor('floor-products');
  try {
    for (const { order, ...product } of products)
      await post(`${site.url}/api/admin/products`, product);
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
  } finally {
    await Promise.all([site.stop(), floor.stop()]);
    await rm(folder, { recursive: true, force: true });
  }
}

async function post(url, body) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
}
