import { readRetryAfter } from './backoff.js';
import { badAnswer, CallError, type Detail } from './failure.js';
import type { Sleep } from './sleep.js';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The members of a JSON object from the service. The caller checks their types. */
export type Body = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly etag: string | null;
  /** The JSON body; empty for a 304. */
  readonly body: Body;
}

export interface CallOptions {
  /** The body, which is sent as JSON. */
  readonly body?: unknown;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** The time limit, in milliseconds. */
  readonly deadline?: number;
}

export type Call = (method: string, path: string, options?: CallOptions) => Promise<Answer>;

interface CallParts {
  readonly fetch: Fetch;
  /** The prefix of every path. By default, paths refer to the page's origin. */
  readonly baseUrl?: string;
  readonly sleep: Sleep;
  /** Receives the time of every response, successful or not. */
  onDate(time: number): void;
}

/** Default time limit of a call, in milliseconds. */
const defaultDeadline = 20_000;

/** Returns a function that calls the service. It resolves for successes and 304, and rejects with a `CallError`. */
export function createCall({ fetch, baseUrl = '', sleep, onDate }: CallParts): Call {
  return async (method, path, options = {}) => {
    const { body, token, headers = {}, signal, deadline = defaultDeadline } = options;
    const init = {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      cache: 'no-store' as const,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    return within({ deadline, sleep, signal }, async (inner) => {
      const response = await fetch(baseUrl + path, { ...init, signal: inner });
      const time = Date.parse(response.headers.get('date') ?? '');
      if (Number.isFinite(time)) onDate(time);
      return readResponse(response);
    });
  };
}

async function readResponse(response: Response): Promise<Answer> {
  const { status } = response;
  const etag = response.headers.get('etag');
  if (status === 304) return { status, etag, body: {} };
  const body = parse(await response.text());
  if (response.ok && body.ok === true) return { status, etag, body };
  throw errorOf(response, body);
}

function parse(text: string): Body {
  try {
    return asBody(JSON.parse(text));
  } catch {
    return {};
  }
}

function asBody(value: unknown): Body {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function errorOf({ status, headers, ok }: Response, body: Body): CallError {
  const retryAfter = readRetryAfter(headers.get('retry-after'), headers.get('date'));
  if (ok || body.ok !== false || typeof body.error !== 'string') {
    const { message, code } = badAnswer(`status ${status}`);
    return new CallError(message, { code, status, retryAfter });
  }
  return new CallError(body.error, {
    code: typeof body.code === 'string' ? body.code : `http_${status}`,
    status,
    details: Array.isArray(body.details) ? body.details.filter(isDetail) : [],
    isAnswer: true,
    retryAfter,
  });
}

function isDetail(value: unknown): value is Detail {
  const { path, message } = asBody(value);
  return typeof path === 'string' && typeof message === 'string';
}

interface Limits {
  readonly deadline: number;
  readonly sleep: Sleep;
  readonly signal: AbortSignal | undefined;
}

/** Runs `work` until its deadline or until the signal is aborted, even if `work` ignores both. */
async function within<Result>(
  { deadline, sleep, signal }: Limits,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const inner = new AbortController();
  const timer = new AbortController();
  let fail: (reason: CallError) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = (reason) => {
      reject(reason);
      inner.abort();
    };
  });
  const onAbort = () => fail(new CallError('The call was cancelled.', { code: 'ended' }));
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort);
  sleep(deadline, timer.signal).then(() => {
    if (!timer.signal.aborted) fail(tooLate());
  });
  try {
    return await Promise.race([failed, work(inner.signal)]);
  } catch (error) {
    throw error instanceof CallError ? error : unreachable();
  } finally {
    signal?.removeEventListener('abort', onAbort);
    timer.abort();
    failed.catch(() => {});
  }
}

function tooLate(): CallError {
  return new CallError('The server is taking too long to respond.', { code: 'timeout' });
}

function unreachable(): CallError {
  return new CallError('The server cannot be reached. Check your connection.', { code: 'offline' });
}
