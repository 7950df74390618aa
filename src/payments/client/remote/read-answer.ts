import type { AppError } from '../../../base/errors.js';
import { isDeeperThan } from '../../../json/bounds.js';
import { parseExact } from '../../../json/exact-json.js';
import { isObject } from '../../../json/pointers.js';
import { notAGateway, proxyFailure } from './connection-failure.js';
import { readFailure } from './failures.js';
import type { RemoteAnswer } from './transport.js';

/** Whether a value is what a call is answered with. */
export type Check<Value> = (value: unknown) => value is Value;

/**
 * The value that a gateway has answered with. Throws the failure that it has answered with instead, or a
 * ConnectionFailure where the answer is none of a gateway's.
 */
export function readAnswer<Value>(
  answer: RemoteAnswer,
  { origin, check }: { readonly origin: string; readonly check: Check<Value> },
): Value {
  const { status } = answer;
  if (status >= 300 && status < 400) throw redirected(answer, origin);
  const value = parse(answer);
  if (status === 200) {
    if (check(value)) return value;
    throw notAGateway(origin, isObject(value) ? otherVersion : noJson(answer));
  }
  throw readFailure(value, answer) ?? strange(answer, { origin, value });
}

const otherVersion = 'It answers with something else than asked for; it may be of another version.';

/** Not followed: the session's headers are for the gateway alone. */
function redirected({ location }: RemoteAnswer, origin: string): AppError {
  const target = URL.canParse(location, origin) ? new URL(location, origin) : undefined;
  const to = target
    ? `${target.origin}${target.pathname.slice(0, longestPath)}`
    : 'another address';
  return notAGateway(
    origin,
    `It sends everybody on to ${to}, where nothing was sent: if that is the gateway, name it with --gateway.`,
  );
}

/** Characters of a redirect's path that a message repeats. */
const longestPath = 200;

function strange(
  answer: RemoteAnswer,
  { origin, value }: { readonly origin: string; readonly value: unknown },
): AppError {
  if (isObject(value) && value.ok === false) {
    return notAGateway(
      origin,
      'It answers as the site of msgsite does: the gateway has a port of its own, 3001 by default.',
    );
  }
  const { status } = answer;
  if (status >= 500) return proxyFailure(origin, status);
  return notAGateway(origin, `It answers with ${status} and ${describe(answer)}.`);
}

function noJson(answer: RemoteAnswer): string {
  return `It answers with ${describe(answer)}.`;
}

function describe({ type }: RemoteAnswer): string {
  return /^text\/html\b/i.test(type) ? 'a web page' : 'something that is not a JSON object';
}

function parse({ text }: RemoteAnswer): unknown {
  if (text === undefined || isDeeperThan(text)) return undefined;
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}
