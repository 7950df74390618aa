import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import type { Clock } from '../../base/clock.js';
import { AppError, systemErrorCode } from '../../base/errors.js';
import { archetypes } from '../normalise/archetype.js';
import { type Locale, locales } from '../render/format.js';
import { renderScreen } from '../render/render-screen.js';
import type { LintOptions } from '../rules/lint.js';
import { shellPage, shellPolicy } from './shell.js';
import { type Source, watchSource } from './source.js';

export interface PreviewOptions {
  /** The definition, as an absolute path. */
  readonly file: string;
  /** 0 chooses a free port. */
  readonly port: number;
  /** Locale until the author chooses another. */
  readonly locale: Locale;
  readonly lint: LintOptions;
  /** Bytes of the largest definition that is read. */
  readonly maxBytes: number;
  readonly clock: Clock;
  /** Stops the preview. */
  readonly signal: AbortSignal;
}

/** The most pages that listen for changes at once. */
const maxListeners = 32;

/** Bytes of unread updates after which a page is disconnected; it reconnects when it wakes up. */
const maxUnread = 4 * 1024;

/** The most connections to the preview. */
const maxConnections = 64;

/** Characters of a request's target; the preview's own have fewer than a hundred. */
const maxTargetLength = 2_000;

const timeouts = {
  /** Milliseconds until a request to the preview has arrived. */
  request: 10_000,
  /** Milliseconds in which a reader of the preview must receive something. */
  idle: 30_000,
  /** Milliseconds between checks of the two time-outs. @internal */
  check: 2_000,
};

/**
 * Serves a screen definition on this machine only and notifies the page when the file changes. Refuses requests
 * with another host name, because a foreign site could point its own name at this address. `ended` resolves
 * when the signal has stopped everything.
 */
export async function startPreview(options: PreviewOptions) {
  const listeners = new Set<ServerResponse>();
  const { file, clock, signal, lint, maxBytes } = options;
  const changed = (): void => {
    for (const listener of listeners) {
      if (listener.writableLength > maxUnread) listener.destroy();
      else listener.write(`data: ${source.current().version}\n\n`);
    }
  };
  const source = await watchSource({ file, lint, maxBytes, clock, signal, changed });
  const routes = createRoutes(options, source.current, listeners);
  const server = createServer(
    {
      headersTimeout: timeouts.request,
      requestTimeout: timeouts.request,
      connectionsCheckingInterval: timeouts.check,
    },
    (request, response) => {
      try {
        answer(request, response, routes);
      } catch (error) {
        // An incomplete definition may fail to render; its next version may succeed.
        const reason = error instanceof AppError ? error.message : 'The screen cannot be rendered.';
        if (response.headersSent) response.destroy();
        else plain(response, 500, reason);
      }
    },
  );
  server.maxConnections = maxConnections;
  server.setTimeout(timeouts.idle);
  await listen(server, options.port);
  const { port } = server.address() as AddressInfo; // a TCP server's address is never a string
  const closed = once(server, 'close');
  const close = (): void => server.close().closeAllConnections();
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
  const ended = Promise.all([closed, source.ended]).then(() => undefined);
  return { url: `http://127.0.0.1:${port}/`, ended };
}

async function listen(server: Server, port: number): Promise<void> {
  try {
    await once(server.listen({ host: '127.0.0.1', port }), 'listening');
  } catch (cause) {
    const code = systemErrorCode(cause);
    const reason = code === 'EADDRINUSE' ? 'is in use' : `cannot be opened (${code})`;
    throw new AppError('configuration', `Port ${port} ${reason}.`, {
      hint: 'Choose another port with --port, or leave it out to use a free one.',
      cause,
    });
  }
  // Errors of single connections do not stop the preview.
  server.on('error', () => {});
}

type Route = (response: ServerResponse, query: URLSearchParams, method: 'GET' | 'HEAD') => void;
type Routes = Readonly<Record<string, Route>>;

function answer(request: IncomingMessage, response: ServerResponse, routes: Routes): void {
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader('cross-origin-resource-policy', 'same-origin');
  const { method, headers, url = '' } = request;
  // No route accepts a body, so the connection is closed instead of reading one.
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) {
    response.setHeader('connection', 'close');
  }
  if (!isOwnHost(headers.host ?? '')) {
    plain(response, 421, 'Unknown host name.');
  } else if (isFromOtherSite(headers)) {
    plain(response, 403, 'Requests from other sites are not allowed.');
  } else if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    plain(response, 405, 'Only GET and HEAD are allowed.');
  } else if (url.length > maxTargetLength) {
    plain(response, 414, 'The address is too long.');
  } else {
    const [path = '', query = ''] = url.split('?', 2);
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (route) route(response, new URLSearchParams(query), method);
    else plain(response, 404, 'Not found.');
  }
}

/**
 * Returns true for requests from other sites, which may link to the preview but not load parts of it or listen
 * to it.
 */
function isFromOtherSite(headers: IncomingMessage['headers']): boolean {
  const site = headers['sec-fetch-site'] ?? 'none';
  const navigates = headers['sec-fetch-mode'] === 'navigate';
  const framed = headers['sec-fetch-dest'] !== 'document';
  return site !== 'same-origin' && site !== 'none' && (!navigates || framed);
}

/** Accepts loopback names and addresses with any port. */
function isOwnHost(header: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i.test(header);
}

function createRoutes(
  { file, locale }: PreviewOptions,
  source: () => Source,
  listeners: Set<ServerResponse>,
): Routes {
  return {
    '/'(response) {
      response.setHeader('content-security-policy', shellPolicy());
      page(response, shellPage(basename(file)));
    },
    '/screen'(response, query) {
      const settings = readSettings(query, locale);
      const definition = exchange(source().definition ?? {}, settings);
      const text = renderScreen(definition, { ...settings, preview: true });
      response.setHeader('content-security-policy', "frame-ancestors 'self'");
      page(response, text);
    },
    '/state'(response) {
      const { version, current, definition, findings } = source();
      const drawable = definition !== undefined;
      response.setHeader('content-type', 'application/json; charset=utf-8');
      response.end(JSON.stringify({ version, current, drawable, findings, locale }));
    },
    '/events'(response, _query, method) {
      if (listeners.size >= maxListeners) {
        plain(response, 503, 'Too many pages are listening.');
        return;
      }
      response.setHeader('content-type', 'text/event-stream');
      if (method === 'HEAD') {
        response.end();
        return;
      }
      // The response waits for changes as long as the page is open.
      response.socket?.setTimeout(0);
      response.write(`retry: 500\ndata: ${source().version}\n\n`);
      listeners.add(response);
      response.on('close', () => listeners.delete(response));
    },
  };
}

function page(response: ServerResponse, text: string): void {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(text);
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.end(`${text}\n`);
}

/** Reads the settings of an address; unknown values are ignored. */
function readSettings(query: URLSearchParams, locale: Locale) {
  const oneOf = <T extends string>(name: string, values: readonly T[]): T | undefined =>
    values.find((value) => value === query.get(name));
  return {
    locale: oneOf('locale', locales) ?? locale,
    theme: oneOf('theme', ['light', 'dark'] as const),
    archetype: oneOf('archetype', archetypes),
    width: oneOf('width', ['full', 'reading'] as const),
  };
}

/** Returns the definition with the chosen archetype and width. */
function exchange(
  definition: unknown,
  { archetype, width }: ReturnType<typeof readSettings>,
): unknown {
  if (typeof definition !== 'object' || definition === null || Array.isArray(definition)) {
    return definition;
  }
  const changed: Record<string, unknown> = { ...definition };
  if (archetype !== undefined) {
    changed.archetype = archetype;
    delete changed.layout;
  }
  if (width !== undefined) changed.width = width;
  return changed;
}
