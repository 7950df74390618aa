import { expect, test } from 'vitest';
import { startTestServer } from '../helpers/test-server.js';

type Answers = Record<string, { headers?: Record<string, unknown> }>;

interface Operation {
  parameters?: { in: string; name: string }[];
  responses: Answers;
}

interface Described {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    securitySchemes: Record<string, { type: string; name?: string }>;
    responses?: Answers;
  };
}

async function describe(url: string) {
  const { paths, components } = (await (await fetch(`${url}/openapi.json`)).json()) as Described;
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  return { operations, components };
}

/** Returns all request headers in the API description of a listener. */
async function describedHeaders(url: string): Promise<string[]> {
  const { operations, components } = await describe(url);
  const parameters = operations.flatMap((operation) => operation.parameters ?? []);
  return [
    ...parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name),
    ...Object.values(components.securitySchemes).map(({ name = 'Authorization' }) => name),
  ];
}

/** Returns all response headers in the API description of a listener. */
async function describedAnswerHeaders(url: string): Promise<string[]> {
  const { operations, components } = await describe(url);
  const answers = [...operations.map(({ responses }) => responses), components.responses ?? {}];
  const described = answers.flatMap((each) => Object.values(each));
  return [...new Set(described.flatMap(({ headers = {} }) => Object.keys(headers)))];
}

const origin = 'https://partner.example';

test('a response that depends on the language also varies by origin', async () => {
  const server = await startTestServer({ env: { MSGSITE_CORS_ORIGINS: origin } });
  const answer = await fetch(server.site);
  expect(answer.headers.get('vary')?.split(', ')).toEqual(
    expect.arrayContaining(['Accept-Language', 'Cookie', 'Origin']),
  );
  await server.close();
});

test.each(['site', 'gateway'] as const)(
  'pages of listed origins may send every header that the %s reads',
  async (name) => {
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

test.each(['site', 'gateway'] as const)(
  'pages of listed origins may read every response header that the %s describes',
  async (name) => {
    const server = await startTestServer({ env: { MSGSITE_CORS_ORIGINS: origin } });
    const answer = await fetch(`${server[name]}/health`, { headers: { Origin: origin } });
    const readable = (answer.headers.get('access-control-expose-headers') ?? '').split(', ');
    const described = await describedAnswerHeaders(server[name]);
    expect(described).not.toEqual([]);
    expect(described.filter((header) => !readable.includes(header))).toEqual([]);
    await server.close();
  },
);
