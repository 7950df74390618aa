import { expect, it } from 'vitest';
import { createRateLimiter } from '../../src/base/rate-limit.js';
import { createConcurrencyLimit } from '../../src/http/route/concurrency-limit.js';
import { messageRoutes } from '../../src/messaging/routes/message-routes.js';
import { createPageRoom } from '../../src/messaging/routes/paging.js';
import { createViews } from '../../src/messaging/views.js';
import { createManualClock } from '../helpers/manual-clock.js';

/** Returns the route for posts, with a service that accepts everything. */
function postRoute() {
  const user = { id: 1, username: 'x', avatar: null };
  const message = { id: 1, chatId: 1, senderId: 1, type: 'text', encrypted: {}, createdAt: '' };
  const routes = messageRoutes({
    accounts: {} as never,
    tokens: {} as never,
    passwords: {} as never,
    people: {} as never,
    directory: {} as never,
    chats: {} as never,
    members: {} as never,
    listWaits: {} as never,
    messages: { post: async () => ({ message, sender: user, text: 'x' }) } as never,
    views: createViews(() => ''),
    reads: createConcurrencyLimit({ most: 1, maxWaiting: 1 }),
    room: createPageRoom(),
    rateLimiter: createRateLimiter(createManualClock()),
  });
  const route = routes.find(({ name }) => name === 'postMessage');
  return async (key: string) => {
    const request = { id: 1, body: { text: 'x' }, principal: { user }, header: () => key };
    return route?.handle(request as never);
  };
}

it('only posts with an idempotency key have a daily limit', async () => {
  const post = postRoute();
  for (let n = 0; n < 50_000; n += 1) await post(`key ${n}`);
  await expect(post('one more')).rejects.toMatchObject({
    code: 'rate_limited',
    headers: { 'Retry-After': expect.any(String) },
  });
  expect(await post('')).toMatchObject({ status: 201 });
});
