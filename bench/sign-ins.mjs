// Measures the slowest product lists (p99) while twenty people sign in continuously, compared with an idle
// server.
import { join } from 'node:path';
import { call } from './lib/api.mjs';
import { compare, load } from './lib/load.mjs';
import { startSite } from './lib/processes.mjs';
import { products } from './lib/products.mjs';
import { withTemporary } from './lib/temporary.mjs';

const password = 'a good password';

export function run() {
  return withTemporary(async ({ folder, started }) => {
    const site = await started(startSite(join(folder, 'data')));
    for (const { order, ...body } of products) {
      await call(site.url, 'POST', '/api/admin/products', { body });
    }
    const emails = Array.from({ length: 20 }, (_, index) => `user-${index}@shop.kz`);
    for (const email of emails) {
      await call(site.url, 'POST', '/api/auth/register', {
        body: { username: 'Bench', email, password },
      });
    }
    const slowest = async () => (await load({ url: `${site.url}/api/products` })).p99;
    const busy = await compare(() => whileSigningIn(site.url, emails, slowest), slowest);
    return [
      {
        name: 'p99 of GET /api/products while 20 sign in, compared with idle',
        aim: 3,
        atMost: true,
        ...busy,
      },
    ];
  });
}

async function whileSigningIn(url, emails, measure) {
  let over = false;
  const people = emails.map(async (email) => {
    while (!over) await call(url, 'POST', '/api/auth/login', { body: { email, password } });
  });
  const result = await measure();
  over = true;
  await Promise.all(people);
  return result;
}
