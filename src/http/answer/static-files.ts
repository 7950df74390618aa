import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Middleware } from 'koa';
import serve from 'koa-static';
import { matchesEtag } from './etag.js';
import { allowPage } from './security-headers.js';

/**
 * Serves the files below `root` with an ETag. A link that leads out of `root` is as if it were not
 * there; files are checked again on every request, so an edited page is seen at once.
 */
export async function staticFiles(root: string): Promise<Middleware> {
  const realRoot = await realpath(root);
  const serveFile = serve(realRoot, { index: 'index.html', hidden: false, maxAge: 0 });
  return async function answerFile(ctx, next) {
    const etag = await findEtag(realRoot, ctx.path);
    if (etag === undefined) return next();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.state.allowedMethods = ['GET', 'HEAD'];
      return next();
    }
    allowPage(ctx);
    ctx.set('ETag', etag);
    ctx.set('Cache-Control', 'no-cache');
    if (matchesEtag(ctx.get('If-None-Match'), etag)) {
      ctx.status = 304;
      return;
    }
    await serveFile(ctx, next);
  };
}

/** A weak tag of the file at a path; undefined where there is none. */
async function findEtag(root: string, path: string): Promise<string | undefined> {
  // `//name` is another host's address to whatever reads it as a reference, and no file of ours.
  if (path.startsWith('//')) return undefined;
  try {
    const wanted = decodeURIComponent(path.endsWith('/') ? `${path}index.html` : path);
    if (wanted.includes('\0') || /(^|[\\/])\./.test(wanted)) return undefined;
    const real = await realpath(join(root, wanted));
    if (!real.startsWith(root + sep)) return undefined;
    const facts = await stat(real);
    if (!facts.isFile()) return undefined;
    return `W/"${facts.size.toString(36)}-${Math.round(facts.mtimeMs).toString(36)}"`;
  } catch {
    // Not there, not readable or not decodable: for a client, all of it is "not found".
    return undefined;
  }
}
