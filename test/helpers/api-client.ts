import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import { sendRequest } from './send-request.js';

/** The response of a service, whose body has been validated against the service's OpenAPI document. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of many shapes.
  readonly body: any;
}

export interface ApiCall {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string;
}

export type ApiClient = (method: string, path: string, call?: ApiCall) => Promise<ApiAnswer>;

interface ApiDocument {
  readonly servers?: unknown;
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

/** A path of the document, with its number of parameters. */
interface ApiPath {
  readonly pattern: RegExp;
  readonly parameters: number;
  readonly methods: Readonly<Record<string, ApiOperation>>;
}

interface ApiDescription {
  readonly ajv: Ajv2020;
  readonly paths: readonly ApiPath[];
}

/** Descriptions by the document's text, because compiling one takes longer than starting its server. */
const descriptions = new Map<string, ApiDescription>();

/**
 * Returns a client that fails the test if the status or the shape of a response is not declared in the service's
 * OpenAPI document.
 */
export async function createApiClient(url: string): Promise<ApiClient> {
  const { text } = await sendRequest(`${url}/openapi.json`, { method: 'GET', headers: {} });
  const description = describe(JSON.parse(text));
  return async (method, path, { body, headers = {}, token } = {}) => {
    const response = await sendRequest(url + path, {
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
    const { status, headers: answered, text } = response;
    const isJson = answered.get('content-type')?.startsWith('application/json') ?? false;
    const answer = isJson && text !== '' ? JSON.parse(text) : text;
    const operation = findOperation(description, method, path);
    if (operation) {
      assertDeclared(description, operation, { call: `${method} ${path}`, status, body: answer });
    }
    return { status, headers: answered, body: answer };
  };
}

function describe({ servers: _, ...document }: ApiDocument): ApiDescription {
  const key = JSON.stringify(document);
  const known = descriptions.get(key);
  if (known) return known;
  // A separate test validates the description. Validating it here would take time in every process.
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'api', ...document });
  const paths = Object.entries(document.paths).map(([template, methods]) => {
    const pattern = template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+');
    const parameters = template.split('{').length - 1;
    return { pattern: new RegExp(`^${pattern}$`), parameters, methods };
  });
  // `/users/me` and `/users/{id}` can both match. The one with fewer parameters takes precedence.
  paths.sort((a, b) => a.parameters - b.parameters);
  const description = { ajv, paths };
  descriptions.set(key, description);
  return description;
}

function findOperation(
  { paths }: ApiDescription,
  method: string,
  path: string,
): ApiOperation | undefined {
  const [bare = ''] = path.split('?', 1);
  const name = method.toLowerCase();
  return paths.find(({ pattern, methods }) => methods[name] && pattern.test(bare))?.methods[name];
}

interface Answer {
  readonly call: string;
  readonly status: number;
  readonly body: unknown;
}

function assertDeclared(
  { ajv }: ApiDescription,
  operation: ApiOperation,
  { call, status, body }: Answer,
): void {
  const declared = operation.responses[String(status)];
  if (!declared) {
    expect.fail(`${call} returned ${status}, which is not declared: ${JSON.stringify(body)}`);
  }
  const schema = declared.content?.['application/json']?.schema.$ref;
  if (schema === undefined || body === '') return;
  if (ajv.validate(`api${schema}`, body)) return;
  expect.fail(`${call}: ${ajv.errorsText()} in ${JSON.stringify(body)}`);
}
