import { Agent, type IncomingMessage, request } from 'node:http';
import { gunzipSync } from 'node:zlib';

export interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Closes idle connections long before a server does, so that no request uses a closing connection. */
const agent = new Agent({ keepAlive: true, timeout: 2_000 });

/** Requests compressed responses, like `fetch`. */
const usual = { Accept: '*/*', 'Accept-Encoding': 'gzip' };

/** Sends a request like `fetch`, but in half the time. */
export function sendRequest(url: string, { method, headers, body }: Sent): Promise<Answered> {
  return new Promise((resolve, reject) => {
    // Node.js sends the length automatically only for methods that are known to have a body.
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    request(url, { method, headers: { ...usual, ...length, ...headers }, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const sent = Buffer.concat(chunks);
        const isPacked = response.headers['content-encoding'] === 'gzip' && sent.length > 0;
        const text = (isPacked ? gunzipSync(sent) : sent).toString();
        resolve({ status: response.statusCode ?? 0, headers: headersOf(response), text });
      });
    })
      .on('error', reject)
      .end(body);
  });
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  }
  return headers;
}
