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
  /** Absolute path of the definition. */
  readonly file: string;
  /** Port to listen on; 0 selects a free port. */
  readonly port: number;
  /** Initial locale, which the author can change in the preview. */
  readonly locale: Locale;
  readonly lint: LintOptions;
  /** Maximum size of the definition, in bytes. */
  readonly maxBytes: number;
  readonly clock: Clock;
  /** Stops the preview. */
  readonly signal: AbortSignal;
}

/** Maximum number of preview pages that listen for changes concurrently. */
const maxListeners = 32;

/** Maximum size of a page's unread updates, in bytes. A page above the limit is disconnected and may reconnect. */
const maxUnread = 4 * 1024;

/** Maximum number of concurrent connections to the preview. */
const maxConnections = 64;

/** Maximum length of a request target in the preview, in characters. The preview's pages use fewer than 100. */
const maxTargetLength = 2_000;

const timeouts = {
  /** Time within which a request to the preview must arrive, in milliseconds. */
  request: 10_000,
  /** Time after which an idle connection to the preview is closed, in milliseconds. */
  idle: 30_000,
  /** Time between checks of the request time-outs, in milliseconds. @internal */
  check: 2_000,
};

/**
 * Serves a screen definition on this machine only and notifies the page when the file changes. Rejects requests with a
 * foreign host name, because another site could point its name at this address (DNS rebinding). Returns the preview's
 * URL and `ended`, which resolves when the signal has aborted and the server and the file watcher have stopped.
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
        respond(request, response, routes);
      } catch (error) {
        // Rendering an unfinished definition may fail. The preview keeps running, because the next version may succeed.
        const reason = error instanceof AppError ? error.message : 'The screen cannot be rendered.';
        if (response.headersSent) response.destroy();
        else plain(response, 500, reason);
      }
    },
  );
  server.maxConnections = maxConnections;
  server.setTimeout(timeouts.idle);
  await listen(server, options.port);
  const { port } = server.address() as AddressInfo; // Only the address of a Unix socket is a string.
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
      hint: 'Choose another port with --port, or omit --port to use a free one.',
      cause,
    });
  }
  // Errors on individual connections must not stop the preview.
  server.on('error', () => {});
}

type Route = (response: ServerResponse, query: URLSearchParams, method: 'GET' | 'HEAD') => void;
type Routes = Readonly<Record<string, Route>>;

function respond(request: IncomingMessage, response: ServerResponse, routes: Routes): void {
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader('cross-origin-resource-policy', 'same-origin');
  const { method, headers, url = '' } = request;
  // No route accepts a request body. Close the connection instead of reading the body.
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
    plain(response, 414, 'The URL is too long.');
  } else {
    const [path = '', query = ''] = url.split('?', 2);
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (route) route(response, new URLSearchParams(query), method);
    else plain(response, 404, 'Not found.');
  }
}

/** Returns true for requests from other sites. They may link to the preview, but not embed it or load its data. */
function isFromOtherSite(headers: IncomingMessage['headers']): boolean {
  const site = headers['sec-fetch-site'] ?? 'none';
  const navigates = headers['sec-fetch-mode'] === 'navigate';
  const framed = headers['sec-fetch-dest'] !== 'document';
  return site !== 'same-origin' && site !== 'none' && (!navigates || framed);
}

/** Returns true for loopback names and addresses, with any port. */
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
      const definition = applySettings(source().definition ?? {}, settings);
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
        plain(response, 503, 'Too many preview pages are open.');
        return;
      }
      response.setHeader('content-type', 'text/event-stream');
      if (method === 'HEAD') {
        response.end();
        return;
      }
      // The response stays open as long as the page does.
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

/** Reads the settings from a query string. Ignores unknown values. */
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
function applySettings(
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
