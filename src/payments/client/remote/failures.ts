import {
  AppError,
  type AppErrorOptions,
  type ErrorCode,
  readErrorCode,
  statusOf,
} from '../../../base/errors.js';
import { isObject } from '../../../json/pointers.js';

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
export function readFailure(
  value: unknown,
  { status, retryAfter }: { readonly status: number; readonly retryAfter: string },
): AppError | undefined {
  if (status < 400 || !isObject(value) || 'ok' in value) return undefined;
  const { error, code, details, ...fields } = value;
  if (typeof error !== 'string' || typeof code !== 'string') return undefined;
  const read = codeOf(code, status);
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
function codeOf(text: string, status: number): ErrorCode {
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
