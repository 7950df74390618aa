import { type ApiAnswer, type ApiCall, createApiClient } from '../helpers/api-client.js';

export type Headers = Readonly<Record<string, string>>;

/** Creates a client that validates every response against the gateway's OpenAPI description. */
export async function createGatewayClient(url: string) {
  const call = await createApiClient(url);
  const post = (path: string, body?: unknown, headers: Headers = {}): Promise<ApiAnswer> =>
    call('POST', path, { ...(body === undefined ? {} : { body }), headers } satisfies ApiCall);
  const get = (path: string, headers: Headers = {}) => call('GET', path, { headers });

  /** Signs in with the three steps. Returns the session and its headers. */
  async function signIn(phoneNumber = '77011234567') {
    const { processId } = (await post('/api/auth/init')).body;
    await post('/api/auth/send-phone', { phoneNumber, processId });
    const { body } = await post('/api/auth/verify-otp', { otp: '123456', processId });
    const headers: Headers = {
      'X-Token-SN': body.tokenSN,
      'X-Vtoken-Secret': body.vtokenSecret,
    };
    return { session: body, headers };
  }

  return { call, post, get, signIn };
}

export type GatewayClient = Awaited<ReturnType<typeof createGatewayClient>>;
