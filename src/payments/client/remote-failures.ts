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
 * The stage at which a request failed: nothing was sent, the connection broke before any response, the request timed
 * out, the caller aborted it, or the response is unreadable.
 */
export type Stage = 'unsent' | 'broken' | 'late' | 'interrupted' | 'answered';

/** Thrown if a request to a gateway has no readable response. */
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

const checkAddress =
  'Check that the gateway (msgsite serve) is running there and that --gateway or MSGSITE_GATEWAY contains its address.';
const privateAuthority =
  'Nothing was sent. If a private authority signed the certificate, set NODE_EXTRA_CA_CERTS=/path/ca.pem.';
const wrongHost = [
  'is for a different host name',
  'Nothing was sent. Use the host name in the certificate.',
] as const;

/** Certificate problems and their hints, by OpenSSL and Node.js error code. */
const certificates: Readonly<Record<string, readonly [words: string, hint: string]>> = {
  CERT_HAS_EXPIRED: [
    'has expired',
    'Nothing was sent. Renew the certificate, or correct the clock of this machine.',
  ],
  CERT_NOT_YET_VALID: ['is not valid yet', 'Nothing was sent. Check the clock of this machine.'],
  CERT_REVOKED: ['has been revoked', 'Nothing was sent. Contact the operator of the gateway.'],
  ERR_TLS_CERT_ALTNAME_INVALID: wrongHost,
  HOSTNAME_MISMATCH: wrongHost,
  DEPTH_ZERO_SELF_SIGNED_CERT: ['is self-signed', privateAuthority],
  SELF_SIGNED_CERT_IN_CHAIN: ['was signed by an unknown authority', privateAuthority],
};

/** Prefixes of the other error codes for unverifiable certificates. */
const unverified = /^(CERT_|UNABLE_TO_|CRL_|ERROR_IN_|INVALID_(CA|PURPOSE)|PATH_LENGTH|AKID_)/;

/** Failures to establish a connection, so that nothing was sent. */
const unsent: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name cannot be resolved now',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  EADDRNOTAVAIL: 'the address is unreachable',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
};

/** Returns the error for a failure of `fetch`. The message names the gateway, and the hint suggests a fix. */
export function connectionFailure(cause: unknown, origin: string): ConnectionFailure {
  const code = codeIn(cause);
  const known = certificates[code];
  if (known || unverified.test(code)) {
    const [words, hint] = known ?? ['cannot be verified', privateAuthority];
    return new ConnectionFailure('unsent', `The certificate of ${origin} ${words}.`, {
      hint,
      cause,
    });
  }
  const why = unsent[code];
  if (why !== undefined) {
    const message = `The gateway at ${origin} cannot be reached: ${why}.`;
    return new ConnectionFailure('unsent', message, { hint: checkAddress, cause });
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    const message = `The server at ${origin} does not support HTTPS.`;
    return new ConnectionFailure('unsent', message, { hint: checkAddress, cause });
  }
  // A server that responds with data other than HTTP may have read the request.
  if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW') {
    return notAGateway(origin, 'The response is not HTTP.', cause);
  }
  const message = `The connection to the gateway at ${origin} was lost before it responded.`;
  return new ConnectionFailure('broken', message, { hint: checkAddress, cause });
}

/** Returns the error for a response from a different server, such as a proxy or another service. */
export function notAGateway(origin: string, why: string, cause?: unknown): ConnectionFailure {
  const message = `The server at ${origin} is not a msgsite gateway. ${why}`;
  return new ConnectionFailure('answered', message, { hint: checkAddress, cause });
}

/** Returns the error for a proxy's response while the gateway is down. */
function proxyFailure(origin: string, status: number): ConnectionFailure {
  const message = `The gateway at ${origin} is unavailable: a proxy in front of it responds with ${status}.`;
  return new ConnectionFailure('answered', message, { hint: checkAddress });
}

/** Maximum number of nested causes that are searched for an error code. */
const deepestCause = 5;

/** Returns the code of an error or of its nearest cause that has one. */
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
  return stage === 'broken' || (stage === 'unsent' && hint === checkAddress);
}

/** Maximum length of a remote gateway's message and of each text in its details, in characters. */
const maxTextLength = 2_000;
/** Maximum number of details in a remote gateway's error. */
const maxDetails = 100;
/** Maximum number of other fields in a remote gateway's error. */
const maxFields = 20;

/** Fallback codes for errors with an unknown code, by status. */
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
 * Returns the error in a gateway's response, with a limited message, details and fields. Returns undefined for a
 * response from a different server, such as a proxy or the site.
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
  return new AppError(read, error.slice(0, maxTextLength), {
    ...detailsOf(details),
    fields: Object.fromEntries(Object.entries(fields).slice(0, maxFields)),
    ...(/^\d{1,6}$/.test(retryAfter) ? { headers: { 'Retry-After': retryAfter } } : {}),
  });
}

/** Returns the error for a session that the gateway does not accept. */
export function notSignedIn(): AppError {
  return new AppError('not_signed_in', 'The session is no longer valid.', {
    hint: 'Sign in with msgsite pay login. A session is valid only at the gateway that issued it.',
  });
}

/**
 * Returns the code if it is known, matches the status and can come from another machine. Otherwise, returns the
 * fallback code for the status.
 */
function readCode(text: string, status: number): ErrorCode {
  const code = readErrorCode(text);
  if (code === 'unauthorized') return 'not_signed_in';
  if (code !== undefined && statusOf(code) === status && !isOurs(code)) return code;
  return byStatus[status] ?? (status < 500 ? 'bad_request' : 'payments_unavailable');
}

/** Returns whether a code can only describe this process: its arguments, input, settings or interruption. */
function isOurs(code: ErrorCode): boolean {
  return ['usage', 'unreadable_input', 'configuration', 'interrupted'].includes(code);
}

function detailsOf(details: unknown): Pick<AppErrorOptions, 'details'> {
  if (!Array.isArray(details)) return isObject(details) ? { details } : {};
  return {
    details: details
      .filter(isDetail)
      .slice(0, maxDetails)
      .map(({ path, message }) => ({
        path: path.slice(0, maxTextLength),
        message: message.slice(0, maxTextLength),
      })),
  };
}

function isDetail(value: unknown): value is { readonly path: string; readonly message: string } {
  return isObject(value) && typeof value.path === 'string' && typeof value.message === 'string';
}

export function nobodySignedIn(): AppError {
  return new AppError('not_signed_in', 'Nobody is signed in.', {
    hint: 'Sign in with msgsite pay login. A session is valid only at the gateway that issued it.',
  });
}

export interface RemoteAnswer {
  readonly status: number;
  /** Header values; '' if absent. */
  readonly type: string;
  readonly location: string;
  readonly retryAfter: string;
  /** Undefined if the body is not UTF-8. */
  readonly text: string | undefined;
}

/** Validates the response to a call. */
export type Check<Value> = (value: unknown) => value is Value;

/**
 * Returns the value in a gateway's response. Throws the gateway's error, or a ConnectionFailure if a different server
 * responded.
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
      isObject(value) ? otherVersion : `The response is ${describe(answer)}.`,
    );
  }
  throw readFailure(value, answer) ?? strange(answer, { origin, value });
}

const otherVersion =
  'The response has an unexpected format. The server may be running a different version.';

/** Returns the error for a redirect. Redirects are not followed, because the session must reach only the gateway. */
function redirected({ location }: RemoteAnswer, origin: string): AppError {
  const target = URL.canParse(location, origin) ? new URL(location, origin) : undefined;
  const to = target
    ? `${target.origin}${target.pathname.slice(0, maxPathLength)}`
    : 'a different address';
  return notAGateway(
    origin,
    `It redirects to ${to}. Nothing was sent there. If that is the gateway, set --gateway to its address.`,
  );
}

/** Maximum length of a redirect's path in a message, in characters. */
const maxPathLength = 200;

function strange(
  answer: RemoteAnswer,
  { origin, value }: { readonly origin: string; readonly value: unknown },
): AppError {
  if (isObject(value) && value.ok === false) {
    return notAGateway(
      origin,
      'It is a msgsite site. The gateway has its own port, 3001 by default.',
    );
  }
  const { status } = answer;
  if (status >= 500) return proxyFailure(origin, status);
  return notAGateway(origin, `The response has status ${status} and is ${describe(answer)}.`);
}

function describe({ type }: RemoteAnswer): string {
  return /^text\/html\b/i.test(type) ? 'a web page' : 'not a JSON object';
}

function parse({ text }: RemoteAnswer): unknown {
  if (text === undefined || isDeeperThan(text)) return undefined;
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}
