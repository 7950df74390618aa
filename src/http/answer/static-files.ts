import { realpath, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { Context, Middleware } from 'koa';
import serve from 'koa-static';
import { type Coding, preferredCoding } from '../request/accept-encoding.js';
import {
  createCompressedFiles,
  type FileVersion,
  isCompressible,
  isScript,
} from './compressed-files.js';
import { matchesEtag } from './etag.js';
import { allowPage } from './security-headers.js';

interface StaticFile extends FileVersion {
  readonly changed: Date;
}

/**
 * Serves the files below `root` with an ETag: texts compressed for those who accept it, scripts without their comments
 * (a third of them, which browsers would load for nothing). A link that leads out of `root` is as if it were not there;
 * files are checked again on every request, so an edited page is seen at once.
 */
export async function staticFiles(root: string): Promise<Middleware> {
  const realRoot = await realpath(root);
  const serveFile = serve(realRoot, {
    index: 'index.html',
    hidden: false,
    maxAge: 0,
    // The coding is chosen here, with its own ETag; files that lie beside others are files of their own.
    brotli: false,
    gzip: false,
  });
  const compressedFile = createCompressedFiles();

  return async function answerFile(ctx, next) {
    const file = await findFile(realRoot, ctx.path);
    if (file === undefined) return next();
    ctx.state.route = 'static';
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.state.allowedMethods = ['GET', 'HEAD'];
      return next();
    }
    allowPage(ctx);
    ctx.set('Cache-Control', 'no-cache');
    const coding = chooseCoding(ctx, file);
    const etag = etagOfFile(file, coding);
    ctx.set('ETag', etag);
    if (matchesEtag(ctx.get('If-None-Match'), etag)) {
      ctx.status = 304;
      return;
    }
    const isAsItIs = !isCompressible(file) || (coding === 'identity' && !isScript(file.path));
    if (isAsItIs) return serveFile(ctx, next);
    const bytes = await compressedFile(file, coding);
    if (coding !== 'identity') ctx.set('Content-Encoding', coding);
    ctx.set('Last-Modified', file.changed.toUTCString());
    ctx.type = extname(file.path);
    ctx.body = bytes;
  };
}

/** Says that the answer depends on the header where it does. */
function chooseCoding(ctx: Context, file: StaticFile): Coding {
  if (!isCompressible(file)) return 'identity';
  ctx.vary('Accept-Encoding');
  return preferredCoding(ctx.get('Accept-Encoding'));
}

/** A weak tag of the file as it is sent: other bytes on the way are another representation. */
function etagOfFile({ tag }: StaticFile, coding: Coding): string {
  return `W/"${tag}${coding === 'identity' ? '' : `-${coding}`}"`;
}

/** The file at a path; undefined where there is none. */
async function findFile(root: string, path: string): Promise<StaticFile | undefined> {
  // `//name` is another host's address to whatever reads it as a reference, and no file of ours.
  if (path.startsWith('//')) return undefined;
  try {
    const wanted = decodeURIComponent(path.endsWith('/') ? `${path}index.html` : path);
    if (wanted.includes('\0') || /(^|[\\/])\./.test(wanted)) return undefined;
    const real = await realpath(join(root, wanted));
    if (!real.startsWith(root + sep)) return undefined;
    const facts = await stat(real);
    if (!facts.isFile()) return undefined;
    const { size, mtime, mtimeMs } = facts;
    const tag = `${size.toString(36)}-${Math.round(mtimeMs).toString(36)}`;
    return { path: real, size, tag, changed: mtime };
  } catch {
    // Not there, not readable or not decodable: for a client, all of it is "not found".
    return undefined;
  }
}
