// Baseline: plain Koa with its router, which sends the content of the file PAGE.
import { readFile } from 'node:fs/promises';
import { Router } from '@koa/router';
import Koa from 'koa';

const page = await readFile(process.env.PAGE);
const router = new Router();
router.get('/products/:id', (ctx) => {
  ctx.type = 'html';
  ctx.body = page;
});
const server = new Koa().use(router.routes()).listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
process.on('SIGTERM', () => process.exit(0));
