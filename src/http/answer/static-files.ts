import { realpath, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { Middleware } from 'koa';
import serve from 'koa-static';
import { matchesEtag } from './etag.js';
import { allowPage } from './security-headers.js';
import { addVary } from './send.js';

/**
 * Serves the files in `root`, or the `.br` or `.gz` beside one to a client that accepts it. Each has an ETag of its own.
 * A link that leads out of `root` is as if it did not exist.
 */
export async function staticFiles(root: string): Promise<Middleware> {
  const realRoot = await realpath(root);
  const serveFile = serve(realRoot, {
    index: false,
    setHeaders(response, path, { size, mtimeMs }) {
      const version = `${size.toString(36)}-${Math.round(mtimeMs).toString(36)}`;
      response.setHeader('ETag', `W/"${version}${extname(path)}"`);
    },
  });

  return async function answerFile(ctx, next) {
    if (!(await isFile(realRoot, ctx.path))) return next();
    ctx.state.route = 'static';
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.state.allowedMethods = ['GET', 'HEAD'];
      return next();
    }
    allowPage(ctx);
    ctx.state.headers['Cache-Control'] = 'no-cache';
    addVary(ctx.state.headers, 'Accept-Encoding');
    await serveFile(ctx, next);
    const isFresh = matchesEtag(ctx.get('If-None-Match'), ctx.response.get('ETag'));
    if (ctx.status !== 200 || !isFresh) return;
    ctx.status = 304;
    ctx.remove('Content-Encoding');
  };
}

/** Dotfiles, compressed forms, and `//name`, which is another host's address to whatever reads it as a reference. */
const hidden = /^\/\/|[\\/]\.|\.(?:br|gz)$/;

async function isFile(root: string, path: string): Promise<boolean> {
  try {
    const name = decodeURIComponent(path);
    if (hidden.test(name)) return false;
    const real = await realpath(join(root, name));
    return real.startsWith(root + sep) && (await stat(real)).isFile();
  } catch {
    // Missing, unreadable or not decodable: a client sees "not found" in each case.
    return false;
  }
}
