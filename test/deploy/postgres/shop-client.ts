import type { OutgoingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of many shapes and assert on what they find.
  readonly body: any;
}

export interface Ask {
  readonly body?: unknown;
  readonly token?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** The loopback address that the client connects from. */
  readonly from?: string;
}

export type ShopClient = (host: string, method: string, path: string, ask?: Ask) => Promise<Answer>;

/** A client of the proxy on a port of 127.0.0.1 that trusts only this certificate. */
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
          // An unknown name still gets the shop's certificate.
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
