// Measures posting and polling messages, with every post on disk before the response, compared with a plain Koa server
// that stores nothing.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { call, posts, signUp } from './lib/api.mjs';
import { compare, load } from './lib/load.mjs';
import { startFloor, startSite } from './lib/processes.mjs';
import { withTemporary } from './lib/temporary.mjs';

export function run() {
  return withTemporary(async ({ folder, started }) => {
    const site = await started(startSite(join(folder, 'data')));
    const floor = await started(startFloor('floor-messages'));
    const { token, chats } = await signUp(site.url, 100);
    const perSecond = async (request) => (await load(request)).perSecond;
    const barePost = () => perSecond(posts(floor.url, token, [1]));

    const one = await compare(() => perSecond(posts(site.url, token, chats.slice(0, 1))), barePost);
    const hundred = await compare(() => perSecond(posts(site.url, token, chats)), barePost);
    const headers = { Authorization: `Bearer ${token}` };
    const path = `/api/chats/${chats[0]}/messages`;
    // Posts in progress at the end of the load are stored a moment later.
    await delay(1000);
    const { messages } = await call(site.url, 'GET', `${path}?limit=1`, { token });
    const polling = { url: `${site.url}${path}?after=${messages.at(-1).id}`, headers };
    // The baseline receives the same request with the same headers, because they also cost the load generator time.
    const bare = ({ url, headers: { Authorization } }) =>
      perSecond({ url: url.replace(site.url, floor.url), headers: { Authorization } });
    const poll = await compare(
      () => perSecond(polling),
      () => bare(polling),
    );
    const page = { url: `${site.url}${path}?limit=100`, headers };
    const latest = await compare(
      () => perSecond(page),
      () => bare(page),
    );
    const etag = (await fetch(page.url, { headers })).headers.get('etag');
    const known = { ...page, headers: { ...headers, 'If-None-Match': etag } };
    const same = await compare(
      () => perSecond(known),
      () => bare(page),
    );
    return [
      { name: 'POST message, one chat, 32 connections', aim: 0.65, ...one },
      { name: 'POST message, 100 chats, 32 connections', aim: 0.65, ...hundred },
      { name: 'GET messages after the last', aim: 0.8, ...poll },
      { name: 'GET the latest 100 messages, compared with prepared text', aim: 0.75, ...latest },
      {
        name: 'GET the latest 100 messages with If-None-Match, compared with prepared text',
        ...same,
      },
    ];
  });
}
