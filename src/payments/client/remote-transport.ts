import ky, { HTTPError } from 'ky';
import type { Clock } from '../../base/clock.js';
import { stringifyExact } from '../../json/exact-json.js';
import type { SessionPair } from './gateway-client.js';
import {
  type Check,
  ConnectionFailure,
  connectionFailure,
  mayPass,
  notAGateway,
  notSignedIn,
  type RemoteAnswer,
  readAnswer,
} from './remote-failures.js';

/**
 * Maximum size of a remote gateway's decompressed response, in bytes. Large enough for a provider's longest answer in
 * the longest JSON notation.
 */
const maxAnswerLength = 8_000_000;
/**
 * Total time limit of all attempts of a call to a remote gateway, in milliseconds. Ensures that a command fails within
 * 60 s.
 */
export const maxCall = 50_000;
/** Maximum number of retries of a GET request to a remote gateway. */
const maxRetries = 2;
/** Maximum `Retry-After` from a remote gateway that a command waits for, in milliseconds. */
const maxRetryAfter = 10_000;
/** Delay before the first retry, in milliseconds. Later retries wait longer. */
const retryDelay = 200;
/** Maximum length of a token or secret in a header to a remote gateway, in characters. */
const maxSecretLength = 4_096;

/** A call and the validator of its response. Calls with a body are POST requests, and others are GET requests. */
export interface RemoteCall<Value> {
  /** Relative to the gateway's address: `api/payments/qr:1001?wait=25`. */
  readonly path: string;
  readonly check: Check<Value>;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Time limit in milliseconds; `maxCall` by default. */
  readonly timeout?: number;
  /** True for a GET request that the caller retries itself. */
  readonly once?: boolean;
  readonly signal?: AbortSignal;
}

/** Calls a gateway. Fails with an AppError, which is a ConnectionFailure if there is no readable response. */
export type Ask = <Value>(call: RemoteCall<Value>) => Promise<Value>;

export interface RemoteOptions {
  /** Without a trailing slash. */
  readonly address: string;
  readonly clock: Clock;
  /** Aborts every call. */
  readonly signal: AbortSignal;
}

export type RemoteTransport = ReturnType<typeof createRemoteTransport>;

/** Creates a transport to a gateway. It follows no redirects, because the session must reach only this origin. */
export function createRemoteTransport(options: RemoteOptions) {
  const { address, clock } = options;
  const { origin } = new URL(address);
  const closing = new AbortController();

  async function send(call: RemoteCall<unknown>): Promise<RemoteAnswer> {
    const { timeout = maxCall } = call;
    const done = new AbortController();
    const late = new AbortController();
    const signals = [options.signal, closing.signal, late.signal];
    const signal = AbortSignal.any(call.signal ? [...signals, call.signal] : signals);
    // One timeout covers all attempts. It uses `clock`, so that tests can control it.
    void clock.sleep(timeout, done.signal).then(() => {
      if (!done.signal.aborted) late.abort();
    });
    let isAnswered = false;
    try {
      const response = await request(call, signal);
      isAnswered = true;
      return await read(response);
    } catch (cause) {
      throw late.signal.aborted || signal.aborted
        ? unfinished(late.signal.aborted ? timeout : undefined)
        : failureOf(cause, isAnswered);
    } finally {
      done.abort();
    }
  }

  function request({ path, body, headers, once }: RemoteCall<unknown>, signal: AbortSignal) {
    return ky(`${address}/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { accept: 'application/json', ...headers },
      ...(body ? { json: body, stringifyJson: stringifyExact } : {}),
      signal,
      redirect: 'manual',
      timeout: false,
      retry: {
        limit: body || once ? 0 : maxRetries,
        methods: ['get'],
        statusCodes: [408, 429, 502, 503, 504],
        afterStatusCodes: [429, 503],
        maxRetryAfter: maxRetryAfter,
        delay: (attempt) => retryDelay * attempt,
        // Undefined leaves the decision to the status codes.
        shouldRetry: ({ error }) =>
          error instanceof HTTPError ? undefined : !signal.aborted && mayPass(error, origin),
      },
    }).catch((error: unknown) => {
      if (error instanceof HTTPError) return error.response;
      throw error;
    });
  }

  async function read(response: Response): Promise<RemoteAnswer> {
    const header = (name: string) => response.headers.get(name) ?? '';
    return {
      status: response.status,
      type: header('content-type'),
      location: header('location'),
      retryAfter: header('retry-after'),
      text: textOf(await bytesOf(response)),
    };
  }

  async function bytesOf({ body }: Response): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of body ?? []) {
      bytes += chunk.length;
      if (bytes > maxAnswerLength) throw notAGateway(origin, 'Its response is too long.');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  function failureOf(cause: unknown, isAnswered: boolean): unknown {
    if (cause instanceof ConnectionFailure) return cause;
    if (!isAnswered) return connectionFailure(cause, origin);
    const message = `The response of the gateway at ${origin} was cut off.`;
    return new ConnectionFailure('answered', message, { cause });
  }

  function unfinished(timeout: number | undefined): ConnectionFailure {
    if (timeout === undefined) return new ConnectionFailure('interrupted', 'Interrupted.');
    const message = `The gateway at ${origin} did not respond within ${timeout / 1000} seconds.`;
    return new ConnectionFailure('late', message, { hint: 'Try again when it is available.' });
  }

  const askWith =
    (sessionHeaders: Readonly<Record<string, string>>): Ask =>
    async (call) =>
      readAnswer(await send({ ...call, headers: { ...call.headers, ...sessionHeaders } }), {
        origin,
        check: call.check,
      });

  return {
    origin,
    /** Calls without a session, for the steps of a sign-in. */
    ask: askWith({}),
    /** Returns the calls of a session. Throws `not_signed_in` if no gateway can have issued the session. */
    as: (session: SessionPair): Ask => askWith(headersOf(session)),
    /** Aborts all calls. */
    close: () => closing.abort(),
  };
}

function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function headersOf({ tokenSN, vtokenSecret }: SessionPair): Readonly<Record<string, string>> {
  for (const text of [tokenSN, vtokenSecret]) {
    // Other text is not a valid header value, so no gateway has issued it.
    if (!/^[\x21-\x7e]+$/.test(text) || text.length > maxSecretLength) throw notSignedIn();
  }
  return { 'X-Token-SN': tokenSN, 'X-Vtoken-Secret': vtokenSecret };
}

/** Returns a query string without the undefined parameters. */
export function query(parameters: Readonly<Record<string, string | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) search.set(name, value);
  }
  return search.toString();
}
