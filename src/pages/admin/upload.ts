import { ApiError, failure } from './api.ts';

/** Milliseconds, enough for the largest picture on the slowest usable connection. */
const timeout = 180_000;

/**
 * Uploads a file and reports the progress, which `fetch` cannot.
 * @returns the body of a successful answer
 */
export function upload<Answer>(
  path: string,
  file: Blob,
  {
    token,
    signal,
    progress,
  }: {
    token?: string;
    signal: AbortSignal;
    /** from 0 to 1 */
    progress: (share: number) => void;
  },
): Promise<Answer> {
  const call = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    const fail = (code: string) => () => reject(new ApiError({ code }));
    call.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0);
    call.onerror = fail('offline');
    call.ontimeout = fail('timeout');
    call.onabort = fail('aborted');
    call.onload = () => {
      const answer = parse(call.responseText);
      const ok = call.status >= 200 && call.status < 300;
      if (ok && answer?.ok === true) resolve(answer);
      else reject(failure(outcomeOf(call, ok), answer, 'POST'));
    };
    signal.addEventListener('abort', () => call.abort(), { once: true });
    call.open('POST', path);
    call.timeout = timeout;
    call.setRequestHeader('accept', 'application/json');
    if (file.type) call.setRequestHeader('content-type', file.type);
    if (token) call.setRequestHeader('authorization', `Bearer ${token}`);
    call.send(file);
  });
}

function outcomeOf(call: XMLHttpRequest, ok: boolean) {
  const headers = { get: (name: string) => call.getResponseHeader(name) };
  return { status: call.status, ok, headers };
}

function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
