import {
  AppError,
  type AppErrorOptions,
  type ErrorCode,
  readErrorCode,
  statusOf,
} from '../../base/errors.js';
import { isDeeperThan } from '../../json/bounds.js';
import { parseExact } from '../../json/exact-json.js';
import { isObject } from '../../json/pointers.js';

/**
 * How far a request came that has no whole answer: nothing of it was sent; its connection broke before any answer; it
 * was late; it was given up here; or an answer began that cannot be read.
 */
export type Stage = 'unsent' | 'broken' | 'late' | 'interrupted' | 'answered';

/** A request to a gateway without an answer that can be read. */
export class ConnectionFailure extends AppError {
  readonly stage: Stage;

  constructor(stage: Stage, message: string, options: AppErrorOptions = {}) {
    super(codeOf(stage), message, options);
    this.stage = stage;
  }
}

function codeOf(stage: Stage): ErrorCode {
  return stage === 'interrupted' ? 'interrupted' : 'payments_unavailable';
}

const seeToAddress =
  'See whether the gateway runs there (msgsite serve), and whether --gateway or MSGSITE_GATEWAY names its address.';
const ownAuthority =
  'Nothing was sent. Where the gateway has a certificate of your own authority, name that one: NODE_EXTRA_CA_CERTS=/path/ca.pem';

/** What is wrong with a certificate, by the codes of OpenSSL and Node.js. */
const certificates: Readonly<Record<string, readonly [words: string, hint: string]>> = {
  CERT_HAS_EXPIRED: [
    'has expired',
    'Nothing was sent. Have it renewed, and see to the clock of this machine.',
  ],
  CERT_NOT_YET_VALID: ['is not valid yet', 'Nothing was sent. See to the clock of this machine.'],
  CERT_REVOKED: ['has been revoked', 'Nothing was sent. Ask whoever runs the gateway.'],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'is made for another host name',
    'Nothing was sent. Name the gateway by the host name that its certificate has.',
  ],
  HOSTNAME_MISMATCH: [
    'is made for another host name',
    'Nothing was sent. Name the gateway by the host name that its certificate has.',
  ],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['is signed by itself, not by an authority', ownAuthority],
  SELF_SIGNED_CERT_IN_CHAIN: ['comes from an authority that is not known here', ownAuthority],
};

/** Other codes of a certificate that cannot be verified; the known ones begin so. */
const unverified = /^(CERT_|UNABLE_TO_|CRL_|ERROR_IN_|INVALID_(CA|PURPOSE)|PATH_LENGTH|AKID_)/;

/** Failures of a request that never left this machine: there was no connection to send it over. */
const unsent: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name cannot be looked up at present',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to its network',
  EADDRNOTAVAIL: 'there is no way to its address',
  UND_ERR_CONNECT_TIMEOUT: 'no connection was made in time',
};

/** What `fetch` has failed of, in words that name the gateway and what to do. */
export function connectionFailure(cause: unknown, origin: string): ConnectionFailure {
  const code = codeIn(cause);
  const known = certificates[code];
  if (known || unverified.test(code)) {
    const [words, hint] = known ?? ['cannot be verified', ownAuthority];
    return new ConnectionFailure('unsent', `The certificate of ${origin} ${words}.`, {
      hint,
      cause,
    });
  }
  const why = unsent[code];
  if (why !== undefined) {
    const message = `The gateway at ${origin} cannot be reached: ${why}.`;
    return new ConnectionFailure('unsent', message, { hint: seeToAddress, cause });
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    const message = `${origin} does not speak https.`;
    return new ConnectionFailure('unsent', message, { hint: seeToAddress, cause });
  }
  // What is no HTTP at all is an answer, too: whoever gave it may have read the request.
  if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW') {
    return notAGateway(origin, 'It answers with something that is no HTTP.', cause);
  }
  const message = `The connection to the gateway at ${origin} broke before it answered.`;
  return new ConnectionFailure('broken', message, { hint: seeToAddress, cause });
}

/** What answers is something else: a proxy's page, another service. */
export function notAGateway(origin: string, why: string, cause?: unknown): ConnectionFailure {
  const message = `What answers at ${origin} is not a msgsite gateway. ${why}`;
  return new ConnectionFailure('answered', message, { hint: seeToAddress, cause });
}

/** Something in front of the gateway answers for it. */
function proxyFailure(origin: string, status: number): ConnectionFailure {
  const message = `The gateway at ${origin} is away: what stands before it answers with ${status}.`;
  return new ConnectionFailure('answered', message, { hint: seeToAddress });
}

/** The most nested causes of a broken connection that are searched. */
const deepestCause = 5;

/** The code of an error or of what it was caused by. */
function codeIn(error: unknown): string {
  let inner = error;
  for (let depth = 0; depth < deepestCause && inner instanceof Error; depth += 1) {
    if ('code' in inner && typeof inner.code === 'string') return inner.code;
    inner = inner instanceof AggregateError ? inner.errors[0] : inner.cause;
  }
  return '';
}

/** Returns whether the same request may succeed later. */
export function mayPass(cause: unknown, origin: string): boolean {
  const { stage, hint } = connectionFailure(cause, origin);
  return stage === 'broken' || (stage === 'unsent' && hint === seeToAddress);
}

/** Characters of a remote gateway's message, and of any text in its details. */
const longestText = 2_000;
/** The most details of a remote gateway's failure. */
const mostDetails = 100;
/** The most further fields of a remote gateway's failure. */
const mostFields = 20;

/** What failures with a code that is not known here count as, by their status. */
const byStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'bad_request',
  401: 'not_signed_in',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  409: 'conflict',
  413: 'too_large',
  415: 'unsupported_media_type',
  421: 'misdirected',
  429: 'rate_limited',
};

/**
 * The failure that a gateway has answered with: its own code, message, details and fields, within bounds. Undefined for
 * what is no failure of a gateway's: the words of a proxy, say, or of the site that has no such path.
 */
function readFailure(
  value: unknown,
  { status, retryAfter }: { readonly status: number; readonly retryAfter: string },
): AppError | undefined {
  if (status < 400 || !isObject(value) || 'ok' in value) return undefined;
  const { error, code, details, ...fields } = value;
  if (typeof error !== 'string' || typeof code !== 'string') return undefined;
  const read = readCode(code, status);
  if (read === 'not_signed_in') return notSignedIn();
  return new AppError(read, error.slice(0, longestText), {
    ...detailsOf(details),
    fields: Object.fromEntries(Object.entries(fields).slice(0, mostFields)),
    ...(/^\d{1,6}$/.test(retryAfter) ? { headers: { 'Retry-After': retryAfter } } : {}),
  });
}

/** What a session that counts for nothing at a gateway fails with. */
export function notSignedIn(): AppError {
  return new AppError('not_signed_in', 'The session is not valid here any more.', {
    hint: 'Sign in with msgsite pay login. A session belongs to the gateway it was made at.',
  });
}

/** A code counts where its status is the answer's: what only this machine can say is not taken from another. */
function readCode(text: string, status: number): ErrorCode {
  const code = readErrorCode(text);
  if (code === 'unauthorized') return 'not_signed_in';
  if (code !== undefined && statusOf(code) === status && !isOurs(code)) return code;
  return byStatus[status] ?? (status < 500 ? 'bad_request' : 'payments_unavailable');
}

/** Codes that say something of this process: its words, its settings, its end. */
function isOurs(code: ErrorCode): boolean {
  return ['usage', 'unreadable_input', 'configuration', 'interrupted'].includes(code);
}

function detailsOf(details: unknown): Pick<AppErrorOptions, 'details'> {
  if (!Array.isArray(details)) return isObject(details) ? { details } : {};
  return {
    details: details
      .filter(isDetail)
      .slice(0, mostDetails)
      .map(({ path, message }) => ({
        path: path.slice(0, longestText),
        message: message.slice(0, longestText),
      })),
  };
}

function isDetail(value: unknown): value is { readonly path: string; readonly message: string } {
  return isObject(value) && typeof value.path === 'string' && typeof value.message === 'string';
}

export function nobodySignedIn(): AppError {
  return new AppError('not_signed_in', 'Nobody is signed in.', {
    hint: 'Sign in with msgsite pay login. A session belongs to the gateway it was made at.',
  });
}

export interface RemoteAnswer {
  readonly status: number;
  /** Header values; '' where absent. */
  readonly type: string;
  readonly location: string;
  readonly retryAfter: string;
  /** Undefined where it is not UTF-8. */
  readonly text: string | undefined;
}

/** Whether a value is what a call is answered with. */
export type Check<Value> = (value: unknown) => value is Value;

/**
 * The value that a gateway has answered with. Throws the failure that it has answered with instead, or a
 * ConnectionFailure where the answer is none of a gateway's.
 */
export function readAnswer<Value>(
  answer: RemoteAnswer,
  { origin, check }: { readonly origin: string; readonly check: Check<Value> },
): Value {
  const { status } = answer;
  if (status >= 300 && status < 400) throw redirected(answer, origin);
  const value = parse(answer);
  if (status === 200) {
    if (check(value)) return value;
    throw notAGateway(
      origin,
      isObject(value) ? otherVersion : `It answers with ${describe(answer)}.`,
    );
  }
  throw readFailure(value, answer) ?? strange(answer, { origin, value });
}

const otherVersion = 'It answers with something else than asked for; it may be of another version.';

/** Not followed: the session's headers are for the gateway alone. */
function redirected({ location }: RemoteAnswer, origin: string): AppError {
  const target = URL.canParse(location, origin) ? new URL(location, origin) : undefined;
  const to = target
    ? `${target.origin}${target.pathname.slice(0, longestPath)}`
    : 'another address';
  return notAGateway(
    origin,
    `It sends everybody on to ${to}, where nothing was sent: if that is the gateway, name it with --gateway.`,
  );
}

/** Characters of a redirect's path that a message repeats. */
const longestPath = 200;

function strange(
  answer: RemoteAnswer,
  { origin, value }: { readonly origin: string; readonly value: unknown },
): AppError {
  if (isObject(value) && value.ok === false) {
    return notAGateway(
      origin,
      'It answers as the site of msgsite does: the gateway has a port of its own, 3001 by default.',
    );
  }
  const { status } = answer;
  if (status >= 500) return proxyFailure(origin, status);
  return notAGateway(origin, `It answers with ${status} and ${describe(answer)}.`);
}

function describe({ type }: RemoteAnswer): string {
  return /^text\/html\b/i.test(type) ? 'a web page' : 'something that is not a JSON object';
}

function parse({ text }: RemoteAnswer): unknown {
  if (text === undefined || isDeeperThan(text)) return undefined;
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}
