/**
 * The program's only error type, and the only table of error codes with their HTTP statuses and exit codes. Callers
 * distinguish errors by `code`, never by message.
 */

/** Exit codes that scripts may rely on. */
export const exitCodes = {
  done: 0,
  failure: 1,
  usage: 2,
  notSignedIn: 4,
  paymentFailed: 5,
  paymentExpired: 6,
  outcomeUnknown: 7,
  interrupted: 130,
  terminated: 143,
} as const;

interface CodeMeaning {
  readonly status: number;
  readonly exitCode: number;
}

const meanings = {
  bad_request: { status: 400, exitCode: exitCodes.failure },
  invalid_json: { status: 400, exitCode: exitCodes.usage },
  validation_failed: { status: 400, exitCode: exitCodes.usage },
  usage: { status: 400, exitCode: exitCodes.usage },
  unreadable_input: { status: 400, exitCode: exitCodes.usage },
  unauthorized: { status: 401, exitCode: exitCodes.notSignedIn },
  not_signed_in: { status: 401, exitCode: exitCodes.notSignedIn },
  forbidden: { status: 403, exitCode: exitCodes.failure },
  not_found: { status: 404, exitCode: exitCodes.failure },
  method_not_allowed: { status: 405, exitCode: exitCodes.failure },
  request_timeout: { status: 408, exitCode: exitCodes.failure },
  conflict: { status: 409, exitCode: exitCodes.failure },
  email_taken: { status: 409, exitCode: exitCodes.failure },
  refused: { status: 409, exitCode: exitCodes.failure },
  in_doubt: { status: 409, exitCode: exitCodes.outcomeUnknown },
  not_for_sale: { status: 409, exitCode: exitCodes.failure },
  changed: { status: 409, exitCode: exitCodes.failure },
  precondition_failed: { status: 412, exitCode: exitCodes.failure },
  too_large: { status: 413, exitCode: exitCodes.failure },
  unsupported_media_type: { status: 415, exitCode: exitCodes.failure },
  misdirected: { status: 421, exitCode: exitCodes.failure },
  rate_limited: { status: 429, exitCode: exitCodes.failure },
  internal_error: { status: 500, exitCode: exitCodes.failure },
  provider_error: { status: 500, exitCode: exitCodes.failure },
  session_ended: { status: 500, exitCode: exitCodes.notSignedIn },
  payments_unavailable: { status: 503, exitCode: exitCodes.failure },
  images_unavailable: { status: 503, exitCode: exitCodes.failure },
  storage_unavailable: { status: 503, exitCode: exitCodes.failure },
  shutting_down: { status: 503, exitCode: exitCodes.failure },
  data_in_use: { status: 503, exitCode: exitCodes.failure },
  data_damaged: { status: 500, exitCode: exitCodes.failure },
  configuration: { status: 500, exitCode: exitCodes.usage },
  interrupted: { status: 500, exitCode: exitCodes.interrupted },
} as const satisfies Record<string, CodeMeaning>;

/** A stable error code that API clients and scripts may rely on. */
export type ErrorCode = keyof typeof meanings;

/** Returns the text if it is an error code, otherwise undefined. */
export function readErrorCode(text: unknown): ErrorCode | undefined {
  return typeof text === 'string' && Object.hasOwn(meanings, text)
    ? (text as ErrorCode) // The keys of `meanings` are the error codes.
    : undefined;
}

/** Returns the HTTP status of an error code. */
export function statusOf(code: ErrorCode): number {
  return meanings[code].status;
}

/** A violated rule. `path` is a JSON Pointer into the input, or the name of a flag or variable. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
}

export interface AppErrorOptions {
  /** All violations, or the response of a remote system. They are sent to the client. */
  readonly details?: readonly ErrorDetail[] | Readonly<Record<string, unknown>>;
  /** Suggested next step. A terminal shows it below the message. */
  readonly hint?: string;
  /** Response headers, such as `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Additional top-level fields of the HTTP body that a contract requires, such as `success: false`. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
  /** Process exit code; by default, the one of the error code. */
  readonly exitCode?: number;
}

/** An error that a person or API client can act on. The message is a full sentence. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: AppErrorOptions['details'];
  readonly hint: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly #exitCode: number | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.hint = options.hint;
    this.headers = options.headers ?? {};
    this.fields = options.fields ?? {};
    this.#exitCode = options.exitCode;
  }

  /** Adds headers and fields to the HTTP response, and returns this error. */
  telling({ headers, fields }: Pick<AppErrorOptions, 'headers' | 'fields'>): this {
    Object.assign(this, {
      headers: { ...this.headers, ...headers },
      fields: { ...this.fields, ...fields },
    });
    return this;
  }

  get exitCode(): number {
    return this.#exitCode ?? meanings[this.code].exitCode;
  }

  get status(): number {
    return statusOf(this.code);
  }
}

/** Returns the code of a Node.js system error (`ENOENT`, `EADDRINUSE`, …), or undefined. */
export function systemErrorCode(error: unknown): string | undefined {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    return error.code;
  }
  return undefined;
}
