// The only file that calls the service. Every failure is an ApiError, which src/pages/admin/errors.ts puts into words.

/** An error at one place of a body. */
export interface Detail {
  path: string;
  message: string;
}
export interface RequestOptions {
  method?: string;
  /** sent as JSON; a Blob is sent as it is, with its own type */
  body?: unknown;
  token?: string;
  /** the ETag of the version that was edited */
  ifMatch?: string;
}
/** The body of a successful answer, with its ETag. */
export interface Exchange<Answer> {
  answer: Answer;
  etag: string | undefined;
}
type Outcome = Pick<Response, 'status' | 'ok'> & { headers: Pick<Headers, 'get'> };

/** The service's own error envelope, as far as the answer is one. */
interface Envelope {
  readonly code?: string;
  readonly error?: unknown;
  readonly details?: unknown;
}

interface FailureFacts {
  code: string;
  status?: number;
  method?: string;
  details?: readonly Detail[];
  seconds?: number;
  /** the service's own sentence */
  message?: string;
}

/** Milliseconds after which most people have given up. */
const timeout = 15_000;

/** A failed call. Its message is the service's own sentence, in English, or empty. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The service's own code, or `offline`, `timeout`, `aborted`, `bad_answer`, `http_` and a status. */
  readonly code: string;
  /** 0 if there was no answer. */
  readonly status: number;
  readonly method: string;
  readonly details: readonly Detail[];
  /** Seconds to wait before a retry. */
  readonly seconds: number;

  constructor({
    code,
    status = 0,
    method = 'GET',
    details = [],
    seconds = 60,
    message = '',
  }: FailureFacts) {
    super(message);
    this.code = code;
    this.status = status;
    this.method = method;
    this.details = details;
    this.seconds = seconds;
  }
}

/** Calls the service and returns the parsed body of a successful answer. */
export async function request<Answer>(path: string, options: RequestOptions = {}): Promise<Answer> {
  return (await exchange<Answer>(path, options)).answer;
}

/** Calls the service and returns the parsed body of a successful answer with its ETag, which identifies the version. */
export async function exchange<Answer>(
  path: string,
  options: RequestOptions = {},
): Promise<Exchange<Answer>> {
  const { method = 'GET', body, token, ifMatch } = options;
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== undefined) {
    headers['content-type'] = body instanceof Blob ? body.type : 'application/json';
  }
  if (token) headers.authorization = `Bearer ${token}`;
  if (ifMatch) headers['if-match'] = ifMatch;
  const response = await send(path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeout),
  });
  const answer = await parse(response);
  if (!response.ok || answer?.ok !== true) throw failure(response, answer, method);
  return { answer, etag: response.headers.get('etag') ?? undefined };
}

/** Returns a file that the service generates, such as a CSV. */
export async function download(path: string, { token }: { token?: string } = {}) {
  const response = await send(path, {
    headers: token ? { authorization: `Bearer ${token}` } : {},
    signal: AbortSignal.timeout(timeout),
  });
  if (!response.ok) throw failure(response, await parse(response), 'GET');
  return response.blob();
}

async function send(path: string, init: RequestInit) {
  try {
    return await fetch(path, init);
  } catch (error) {
    throw new ApiError({ code: error.name === 'TimeoutError' ? 'timeout' : 'offline' });
  }
}

async function parse(response: Response) {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}

/** Returns the error to throw for an unsuccessful answer. */
export function failure({ status, headers, ok }: Outcome, answer: unknown, method: string) {
  const envelope: Envelope = typeof answer === 'object' && answer !== null ? answer : {};
  return new ApiError({
    code: envelope.code ?? (ok ? 'bad_answer' : `http_${status}`),
    status,
    method,
    details: Array.isArray(envelope.details) ? envelope.details : [],
    seconds: Number(headers.get('retry-after')) || 60,
    message: typeof envelope.error === 'string' ? envelope.error : '',
  });
}
