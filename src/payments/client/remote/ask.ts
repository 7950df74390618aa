import { AppError, exitCodes } from '../../../base/errors.js';
import type { SessionPair } from '../gateway-client.js';
import { ConnectionFailure } from './connection-failure.js';
import { notSignedIn } from './failures.js';
import { type Check, readAnswer } from './read-answer.js';
import type { RemoteCall, RemoteTransport } from './transport.js';

/** A call, and what its answer has to be. */
export interface Asked<Value> extends Omit<RemoteCall, 'method'> {
  readonly check: Check<Value>;
}

/** Calls of one gateway, in the name of a session where there is one. Failures are AppErrors. */
export interface Ask {
  get<Value>(asked: Asked<Value>): Promise<Value>;
  post<Value>(asked: Asked<Value>): Promise<Value>;
}

/** Characters of a token or secret; headers have room for it. */
const longestSecret = 4_096;

/** Calls a gateway in the name of a session; `not_signed_in` where it counts for nothing there. */
export function askAs(transport: RemoteTransport, session: SessionPair): Ask {
  const plain = askPlainly(transport, sessionHeaders(session));
  const explained = async <Value>(asking: Promise<Value>): Promise<Value> => {
    try {
      return await asking;
    } catch (error) {
      throw await withSessionEnd(plain, error);
    }
  };
  return {
    get: (asked) => explained(plain.get(asked)),
    post: (asked) => explained(plain.post(asked)),
  };
}

/** The same without a session, for the steps of a sign-in. */
export function askPlainly(
  transport: RemoteTransport,
  own: Readonly<Record<string, string>> = {},
): Ask {
  const { origin } = transport;
  const send = async <Value>(method: RemoteCall['method'], { check, ...call }: Asked<Value>) => {
    const headers = { ...call.headers, ...own };
    return readAnswer(await transport.send({ ...call, method, headers }), { origin, check });
  };
  return { get: (asked) => send('GET', asked), post: (asked) => send('POST', asked) };
}

function sessionHeaders({ tokenSN, vtokenSecret }: SessionPair): Readonly<Record<string, string>> {
  for (const text of [tokenSN, vtokenSecret]) {
    // Nothing else can be a header's value, and thus none of a gateway's sessions.
    if (!/^[\x21-\x7e]+$/.test(text) || text.length > longestSecret) throw notSignedIn();
  }
  return { 'X-Token-SN': tokenSN, 'X-Vtoken-Secret': vtokenSecret };
}

/** Milliseconds to find out whether a session still counts. */
const shortCall = 5_000;

/**
 * The failure with the exit code of a session that has ended at the provider (4), where that is what the provider
 * has refused the call for: the gateway takes the session no longer then.
 */
async function withSessionEnd(plain: Ask, error: unknown): Promise<unknown> {
  const mayBe =
    error instanceof AppError &&
    !(error instanceof ConnectionFailure) &&
    error.code === 'provider_error' &&
    error.fields.outcome !== 'unknown';
  if (!mayBe) return error;
  const check = (_value: unknown): _value is unknown => true;
  const asked = { path: 'api/session', once: true, timeout: shortCall, check };
  const hasEnded = await plain.get(asked).then(
    () => false,
    (failure: unknown) => failure instanceof AppError && failure.code === 'not_signed_in',
  );
  if (!hasEnded) return error;
  const { code, message, details, fields } = error;
  return new AppError(code, message, {
    ...(details ? { details } : {}),
    fields,
    exitCode: exitCodes.notSignedIn,
    cause: error,
  });
}
