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
 * Bytes of a remote gateway's answer, decompressed: the longest answer of a provider in the longest spelling of
 * JSON.
 */
const longestAnswer = 8_000_000;
/** Milliseconds for a call of a remote gateway with all its attempts; a silent one fails a command within 60 s. */
export const longestCall = 50_000;
/** How often a GET from a remote gateway is retried. */
const mostRetries = 2;
/** Milliseconds of a remote gateway's `Retry-After` that a command waits. */
const longestRetryAfter = 10_000;
/** Milliseconds before the first repetition; more before each further one. */
const retryDelay = 200;
/** Characters of a token or secret that is sent to a remote gateway; headers have room for it. */
const longestSecret = 4_096;

/** A call and what its answer has to be: a POST where there is a body, else a GET. */
export interface RemoteCall<Value> {
  /** Behind the gateway's address: `api/payments/qr:1001?wait=25`. */
  readonly path: string;
  readonly check: Check<Value>;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds; `longestCall` by default. */
  readonly timeout?: number;
  /** Never tried again, though it is a GET: who asks does so himself. */
  readonly once?: boolean;
  readonly signal?: AbortSignal;
}

/** Calls one gateway. Failures are AppErrors; a ConnectionFailure where nothing that can be read is answered. */
export type Ask = <Value>(call: RemoteCall<Value>) => Promise<Value>;

export interface RemoteOptions {
  /** Without a slash at its end. */
  readonly address: string;
  readonly clock: Clock;
  /** Ends every call. */
  readonly signal: AbortSignal;
}

export type RemoteTransport = ReturnType<typeof createRemoteTransport>;

/** Sends requests to a gateway. Redirects are not followed: the session's headers are for this origin alone. */
export function createRemoteTransport(options: RemoteOptions) {
  const { address, clock } = options;
  const { origin } = new URL(address);
  const closing = new AbortController();

  async function send(call: RemoteCall<unknown>): Promise<RemoteAnswer> {
    const { timeout = longestCall } = call;
    const done = new AbortController();
    const late = new AbortController();
    const signals = [options.signal, closing.signal, late.signal];
    const signal = AbortSignal.any(call.signal ? [...signals, call.signal] : signals);
    // The clock that is handed in keeps the time of all tries together.
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
        limit: body || once ? 0 : mostRetries,
        methods: ['get'],
        statusCodes: [408, 429, 502, 503, 504],
        afterStatusCodes: [429, 503],
        maxRetryAfter: longestRetryAfter,
        delay: (attempt) => retryDelay * attempt,
        // Undefined: as the status codes say.
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
      if (bytes > longestAnswer) throw notAGateway(origin, 'Its answer is too long.');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  function failureOf(cause: unknown, isAnswered: boolean): unknown {
    if (cause instanceof ConnectionFailure) return cause;
    if (!isAnswered) return connectionFailure(cause, origin);
    const message = `The answer of the gateway at ${origin} was cut off.`;
    return new ConnectionFailure('answered', message, { cause });
  }

  function unfinished(timeout: number | undefined): ConnectionFailure {
    if (timeout === undefined) return new ConnectionFailure('interrupted', 'Interrupted.');
    const message = `The gateway at ${origin} did not answer within ${timeout / 1000} seconds.`;
    return new ConnectionFailure('late', message, { hint: 'Try again when it is up.' });
  }

  const askWith =
    (own: Readonly<Record<string, string>>): Ask =>
    async (call) =>
      readAnswer(await send({ ...call, headers: { ...call.headers, ...own } }), {
        origin,
        check: call.check,
      });

  return {
    origin,
    /** Without a session, for the steps of a sign-in. */
    ask: askWith({}),
    /** In the name of a session. Throws `not_signed_in` where it is none that a gateway could have made. */
    as: (session: SessionPair): Ask => askWith(sessionHeaders(session)),
    /** Ends what is under way. */
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

function sessionHeaders({ tokenSN, vtokenSecret }: SessionPair): Readonly<Record<string, string>> {
  for (const text of [tokenSN, vtokenSecret]) {
    // Nothing else can be a header's value, and thus none of a gateway's sessions.
    if (!/^[\x21-\x7e]+$/.test(text) || text.length > longestSecret) throw notSignedIn();
  }
  return { 'X-Token-SN': tokenSN, 'X-Vtoken-Secret': vtokenSecret };
}

/** Parameters of an address; those that are undefined are left out. */
export function query(parameters: Readonly<Record<string, string | undefined>>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) given.set(name, value);
  }
  return given.toString();
}
