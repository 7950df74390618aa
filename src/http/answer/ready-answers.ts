import type { IncomingHttpHeaders } from 'node:http';
import type { Middleware } from 'koa';
import type { Reply } from './reply.js';
import { allowPage } from './security-headers.js';
import type { Sender } from './send.js';

/**
 * The page that is ready for an address (path and query as they came) and these headers; undefined where a route has to
 * find out. It must be the one that the route (named by its path's template) would answer.
 */
export type ReadyAnswer = (
  address: string,
  headers: IncomingHttpHeaders,
) => { readonly reply: Reply; readonly route: string } | undefined;

/** Answers with pages that are ready before any route is looked for, which takes longer than sending them. */
export function readyAnswers(find: ReadyAnswer, sender: Sender): Middleware {
  return function answerReady(ctx, next) {
    const { method, url = '', headers } = ctx.req;
    const found = method === 'GET' ? find(url, headers) : undefined;
    if (!found) return next();
    ctx.state.route = found.route;
    allowPage(ctx);
    return sender.reply(ctx, found.reply);
  };
}
