import type { OutgoingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';

export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of many shapes and assert on their contents.
  readonly body: any;
}

export interface RequestOptions {
  readonly body?: unknown;
  readonly token?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** The loopback address from which the client connects. */
  readonly from?: string;
}

export type ShopClient = (
  host: string,
  method: string,
  path: string,
  options?: RequestOptions,
) => Promise<Response>;

/** Returns a client that connects to the proxy on 127.0.0.1 and trusts only this certificate. */
export function createShopClient(port: number, certificate: string): ShopClient {
  const agents = new Map<string, Agent>();
  const agentFor = (address: string) => {
    const agent = agents.get(address) ?? new Agent({ keepAlive: true, ca: certificate });
    agents.set(address, agent);
    return agent;
  };
  return (host, method, path, { body, token, headers, from = '127.0.0.1' } = {}) =>
    new Promise((resolve, reject) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const outgoing = request(
        {
          ...{ host: '127.0.0.1', port, method, path, localAddress: from, agent: agentFor(from) },
          // For unknown names, the certificate of the shop is requested.
          servername: host.endsWith('shop.example') ? host : 'shop.example',
          headers: {
            Host: host,
            ...(text === undefined
              ? {}
              : {
                  'Content-Type': 'application/json',
                  'Content-Length': Buffer.byteLength(text),
                }),
            ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
            ...headers,
          },
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () => {
            const received = Buffer.concat(chunks).toString();
            const isJson = incoming.headers['content-type']?.startsWith('application/json');
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              text: received,
              body: isJson && received !== '' ? JSON.parse(received) : undefined,
            });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(text);
    });
}
