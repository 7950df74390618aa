import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import type { Clock } from '../../clock.js';
import { AppError, systemErrorCode } from '../../errors.js';
import type { Locale } from '../render/format.js';
import { renderScreen } from '../render/render-screen.js';
import type { LintOptions } from '../rules/lint.js';
import { exchange, readSettings } from './settings.js';
import { shellPage, shellPolicy } from './shell.js';
import { type Source, watchSource } from './source.js';

export interface PreviewOptions {
  /** The definition, as an absolute path. */
  readonly file: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Where the author has not chosen another. */
  readonly locale: Locale;
  readonly lint: LintOptions;
  readonly clock: Clock;
  /** Ends the preview. */
  readonly signal: AbortSignal;
}

export interface Preview {
  readonly url: string;
  /** Resolves when the signal has ended everything. */
  readonly ended: Promise<void>;
}

/** More pages than this do not listen for changes at once. */
const mostListeners = 32;

/**
 * Serves a screen definition on this machine only, and tells the page when the file changes. Requests
 * for another host name are refused: a foreign site could point its own name at this address.
 */
export async function startPreview(options: PreviewOptions): Promise<Preview> {
  const listeners = new Set<ServerResponse>();
  const { file, clock, signal, lint } = options;
  const changed = (): void => {
    for (const listener of listeners) listener.write(`data: ${source.current().version}\n\n`);
  };
  const source = await watchSource({ file, lint, clock, signal, changed });
  const server = createServer((request, response) => {
    answer(request, response, { options, source: source.current(), listeners });
  });
  await listen(server, options.port);
  const { port } = server.address() as AddressInfo; // a TCP server's address is never a string
  const closed = new Promise<void>((resolve) => {
    const close = (): void => {
      server.close(() => resolve());
      server.closeAllConnections();
    };
    if (signal.aborted) close();
    else signal.addEventListener('abort', close, { once: true });
  });
  const ended = Promise.all([closed, source.ended]).then(() => undefined);
  return { url: `http://127.0.0.1:${port}/`, ended };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const taken = systemErrorCode(cause) === 'EADDRINUSE';
      const reason = taken ? 'is taken' : `cannot be opened (${systemErrorCode(cause)})`;
      const hint = 'Choose another with --port, or none for a free one.';
      reject(new AppError('configuration', `Port ${port} ${reason}.`, { hint, cause }));
    });
    server.listen({ host: '127.0.0.1', port }, resolve);
  });
}

interface Exchange {
  readonly options: PreviewOptions;
  readonly source: Source;
  readonly listeners: Set<ServerResponse>;
}

function answer(request: IncomingMessage, response: ServerResponse, exchange: Exchange): void {
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader('cross-origin-resource-policy', 'same-origin');
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const route = Object.hasOwn(routes, pathname) ? routes[pathname] : undefined;
  if (!isOwnHost(request.headers.host ?? '')) {
    plain(response, 421, 'Not this host.');
  } else if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    plain(response, 405, 'Only GET.');
  } else if (route) {
    route(response, exchange, searchParams);
  } else {
    plain(response, 404, 'Nothing here.');
  }
}

/** Loopback names and addresses, with any port. */
function isOwnHost(header: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i.test(header);
}

type Route = (response: ServerResponse, exchange: Exchange, query: URLSearchParams) => void;

const routes: Readonly<Record<string, Route>> = {
  '/'(response, { options }) {
    response.setHeader('content-security-policy', shellPolicy());
    page(response, shellPage(basename(options.file)));
  },
  '/screen'(response, { options, source }, query) {
    const { locale, theme, ...exchanged } = readSettings(query, options.locale);
    const definition = exchange(source.definition ?? {}, exchanged);
    response.setHeader('content-security-policy', "frame-ancestors 'self'");
    page(response, renderScreen(definition, { locale, theme, preview: true }));
  },
  '/state'(response, { options, source: { version, current, definition, findings } }) {
    const drawable = definition !== undefined;
    const state = { version, current, drawable, findings, locale: options.locale };
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.end(JSON.stringify(state));
  },
  '/events'(response, { source, listeners }) {
    if (listeners.size >= mostListeners) {
      plain(response, 503, 'Too many pages listen.');
      return;
    }
    response.setHeader('content-type', 'text/event-stream');
    response.write(`retry: 500\ndata: ${source.version}\n\n`);
    listeners.add(response);
    response.on('close', () => listeners.delete(response));
  },
};

function page(response: ServerResponse, text: string): void {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(text);
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.end(`${text}\n`);
}
