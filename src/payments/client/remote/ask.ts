import type { SessionPair } from '../gateway-client.js';
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

/** Characters of a token or secret that is sent to a remote gateway; headers have room for it. */
const longestSecret = 4_096;

/** Calls a gateway in the name of a session; `not_signed_in` where it counts for nothing there. */
export function askAs(transport: RemoteTransport, session: SessionPair): Ask {
  return askPlainly(transport, sessionHeaders(session));
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
