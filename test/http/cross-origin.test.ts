import { expect, test } from 'vitest';
import { startTestServer } from '../helpers/test-server.js';

interface Described {
  readonly paths: Record<string, Record<string, { parameters?: { in: string; name: string }[] }>>;
  readonly components: { securitySchemes: Record<string, { type: string; name?: string }> };
}

/** Every request header that a listener's description names. */
async function describedHeaders(url: string): Promise<string[]> {
  const { paths, components } = (await (await fetch(`${url}/openapi.json`)).json()) as Described;
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const parameters = operations.flatMap((operation) => operation.parameters ?? []);
  return [
    ...parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name),
    ...Object.values(components.securitySchemes).map(({ name = 'Authorization' }) => name),
  ];
}

test.each(['site', 'gateway'] as const)(
  'pages of listed origins may send the %s every header that it reads',
  async (name) => {
    const origin = 'https://partner.example';
    const server = await startTestServer({ env: { MSGSITE_CORS_ORIGINS: origin } });
    const answer = await fetch(`${server[name]}/health`, {
      method: 'OPTIONS',
      headers: { Origin: origin, 'Access-Control-Request-Method': 'GET' },
    });
    const allowed = (answer.headers.get('access-control-allow-headers') ?? '').split(', ');
    const read = ['Content-Type', 'X-Request-Id', ...(await describedHeaders(server[name]))];
    expect(read.filter((header) => !allowed.includes(header))).toEqual([]);
    await server.close();
  },
);
