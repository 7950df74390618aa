import { AppError } from '../../base/errors.js';

/**
 * Throws `forbidden` where a page of another origin sends a form here. What a browser says of itself counts
 * (`Sec-Fetch-Site`, `Origin`: no page can change either); scripts and old browsers, which say neither, are let through.
 * `ownHosts`: names that the service answers for besides the one that the request is addressed to, as behind a proxy
 * that renames it.
 */
export function assertSameOrigin(
  header: (name: string) => string,
  ownHosts: readonly string[] = [],
): void {
  const site = header('Sec-Fetch-Site');
  const origin = header('Origin');
  if (site === 'cross-site' || site === 'same-site') throw foreign();
  // A page that keeps its address to itself (Referrer-Policy) has its browser say `Origin: null` even here.
  if (site === 'same-origin' && origin === 'null') return;
  // A page that sends no referrer has no origin either (`null`), where the browser does not say more.
  if (site === 'same-origin' || origin === '' || isOwn(origin, header('Host'))) return;
  if (!ownHosts.some((name) => isOwn(origin, name))) throw foreign();
}

/** Whether an origin is at a host. The port counts where the host has one: proxies may leave it out. */
function isOwn(origin: string, host: string): boolean {
  const asking = readOrigin(origin);
  const asked = readOrigin(`${asking?.protocol}//${host}`);
  if (!asking || !asked) return false;
  const hasPort = /:\d+$/.test(host);
  return hasPort ? asking.host === asked.host : asking.hostname === asked.hostname;
}

/** Undefined where it is none of the web, as of a page in a sandbox (`null`). */
function readOrigin(text: string): URL | undefined {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
}

function foreign(): AppError {
  return new AppError('forbidden', 'This form was sent by a page of another site.', {
    hint: 'Open the page on this site, and send the form from there.',
  });
}
