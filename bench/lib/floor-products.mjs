// Baseline: plain Koa with its router, which stringifies the same 20 products for every request.
import { Router } from '@koa/router';
import Koa from 'koa';
import { products } from './products.mjs';

const answer = {
  ok: true,
  data: products.map((product, index) => ({ id: index + 1, ...product })),
};
const router = new Router();
router.get('/api/products', (ctx) => {
  ctx.body = answer;
});
const server = new Koa().use(router.routes()).listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
process.on('SIGTERM', () => process.exit(0));
