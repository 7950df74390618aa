import { sendRequest } from '../helpers/send-request.js';

export interface SiteCall {
  readonly token?: string;
  readonly body?: unknown;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface SiteAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of many shapes.
  readonly body: any;
}

/** Sends a request and returns the response with any status. */
export async function ask(
  url: string,
  { token, body, key, headers }: SiteCall = {},
  method = body === undefined ? 'GET' : 'POST',
): Promise<SiteAnswer> {
  const { status, text } = await sendRequest(url, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status, body: text === '' ? undefined : JSON.parse(text) };
}

/** Sends a request that must succeed, and returns the body of the response. */
export async function demand(url: string, call: SiteCall = {}, method?: string) {
  const { status, body } = await ask(url, call, method);
  if (status === 200 || status === 201) return body;
  throw new Error(`${method ?? ''} ${url} responded with ${status}: ${JSON.stringify(body)}`);
}

export type Headers = Readonly<Record<string, string>>;

/** Signs in as a cashier of the sandbox and returns the headers of the session. */
export async function signInCashier(gateway: string, phoneNumber: string): Promise<Headers> {
  const { processId } = await demand(`${gateway}/api/auth/init`, {}, 'POST');
  await demand(`${gateway}/api/auth/send-phone`, { body: { phoneNumber, processId } });
  const body = { otp: '123456', processId };
  const session = await demand(`${gateway}/api/auth/verify-otp`, { body });
  return { 'X-Token-SN': session.tokenSN, 'X-Vtoken-Secret': session.vtokenSecret };
}
