import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** One poll of a payment. */
export interface Poll {
  /** The process that polled. */
  readonly by: number;
  readonly at: number;
}

/** Polls of payments in order, by the body of the request. */
export type Polls = Map<string, Poll[]>;

/** Starts a proxy between one process and the provider that records the polls of each payment. */
export async function startPollCounter(
  upstream: string,
  by: number,
  polls: Polls,
): Promise<string> {
  const { port } = new URL(upstream);
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks);
      if (/qr\/status|invoices\/details/.test(incoming.url ?? '')) {
        const key = body.toString();
        polls.set(key, [...(polls.get(key) ?? []), { by, at: performance.now() }]);
      }
      const { method, url: path, headers } = incoming;
      const forward = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      });
      forward.on('error', () => outgoing.destroy());
      forward.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
