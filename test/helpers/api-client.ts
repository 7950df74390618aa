import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';

/** What a service answered; the body has been checked against the service's own description. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read into bodies of many shapes and assert on what they find.
  readonly body: any;
}

export interface ApiCall {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string;
}

export type ApiClient = (method: string, path: string, call?: ApiCall) => Promise<ApiAnswer>;

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
}

interface ApiOperation {
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref: string } }>>;
      }
    >
  >;
}

/**
 * A client that fails the test when an answer has a status or a shape that the service's OpenAPI
 * document does not declare for the operation.
 */
export async function createApiClient(url: string): Promise<ApiClient> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as ApiDocument;
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'api', ...document });
  return async (method, path, { body, headers = {}, token } = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    const answer = isJson && text !== '' ? JSON.parse(text) : text;
    const operation = findOperation(document, method, path);
    if (operation) assertDeclared(ajv, operation, `${method} ${path}`, response.status, answer);
    return { status: response.status, headers: response.headers, body: answer };
  };
}

function findOperation(
  document: ApiDocument,
  method: string,
  path: string,
): ApiOperation | undefined {
  const [bare = ''] = path.split('?', 1);
  const matching = Object.entries(document.paths).filter(([template]) => {
    const pattern = template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+');
    return new RegExp(`^${pattern}$`).test(bare);
  });
  // `/users/me` and `/users/{id}` can both match: the one with fewer parameters is meant.
  matching.sort(([a], [b]) => a.split('{').length - b.split('{').length);
  return matching.map(([, methods]) => methods[method.toLowerCase()]).find(Boolean);
}

function assertDeclared(
  ajv: Ajv2020,
  operation: ApiOperation,
  call: string,
  status: number,
  body: unknown,
): void {
  const declared = operation.responses[String(status)];
  expect(
    declared,
    `${call} answered ${status}, which is not declared: ${JSON.stringify(body)}`,
  ).toBeDefined();
  const schema = declared?.content?.['application/json']?.schema.$ref;
  if (schema === undefined || body === '') return;
  const isValid = ajv.validate(`api${schema}`, body);
  expect(isValid, `${call}: ${ajv.errorsText()} in ${JSON.stringify(body)}`).toBe(true);
}
