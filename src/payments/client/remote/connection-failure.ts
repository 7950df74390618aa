import { AppError, type AppErrorOptions, type ErrorCode } from '../../../base/errors.js';

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
export function proxyFailure(origin: string, status: number): ConnectionFailure {
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

/** Whether asking again could help by itself. */
export function mayPass(cause: unknown, origin: string): boolean {
  const { stage, hint } = connectionFailure(cause, origin);
  return stage === 'broken' || (stage === 'unsent' && hint === seeToAddress);
}
