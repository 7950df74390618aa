import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import type { RequestLog } from '../request/log.js';
import type { EndOfTurn } from './answer-together.js';
import { codingFor } from './coding.js';
import { matchesEtag } from './etag.js';
import { createReadyHeads } from './ready-heads.js';
import { isReady, type Reply } from './reply.js';

/** A reply that is ready, of a route that is named by its path's template. */
export interface FoundReply {
  readonly reply: Reply;
  readonly route: string;
  /** Whether it is a page for people. */
  readonly isPage: boolean;
}

/**
 * What is ready for an address (path and query as they came) and these headers; undefined where a route has to
 * find out. It must be what the route would answer.
 */
export type ReadyAnswer = (address: string, headers: IncomingHttpHeaders) => FoundReply | undefined;

export interface ReadyAnswersOptions {
  readonly find: ReadyAnswer;
  readonly requests: RequestLog;
  readonly endOfTurn: EndOfTurn;
  /** Whether a request is to be refused for the host that it names. */
  isMisdirected(request: IncomingMessage): boolean;
  /** Whether a request came over https. */
  isHttps(request: IncomingMessage): boolean;
}

/**
 * Sends texts that are ready, as they are and with headers that are ready, before anything else looks at the request:
 * all the rest takes longer than that. What is not at hand, or is to be refused, goes the way of all requests.
 */
export function readyAnswers(options: ReadyAnswersOptions): Middleware {
  const { find, requests, endOfTurn, isMisdirected, isHttps } = options;
  const heads = createReadyHeads();
  return function answerReady(ctx, next) {
    const { req, res } = ctx;
    const { url = '', headers } = req;
    const found = req.method === 'GET' ? find(url, headers) : undefined;
    if (!found || !isReady(found.reply) || isMisdirected(req)) return next();
    const { reply, route, isPage } = found;
    const coding = heads.isCodable(reply) ? codingFor(req) : 'identity';
    const bytes = reply.ready.now(coding, reply.tail);
    if (!bytes) return next();

    const begun = requests.begin(ctx);
    const head = heads.headOf(reply, { coding, isPage, isHttps: isHttps(req) });
    const isKnown = matchesEtag(headers['if-none-match'] ?? '', head.etag);
    const status = isKnown ? 304 : reply.status;
    ctx.state.route = route;
    requests.end(ctx, { begun, status, path: url });
    // Koa would find out again what these are.
    ctx.respond = false;
    const id = ['X-Request-Id', begun.id];
    return endOfTurn().then(() => {
      if (isKnown) res.writeHead(status, [...head.unchanged, ...id]).end();
      else {
        const length = ['Content-Length', String(bytes.length)];
        res.writeHead(status, [...head.whole, ...length, ...id]).end(bytes);
      }
    });
  };
}
