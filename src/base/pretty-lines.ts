import { escapeForeign, escapeForeignLines } from './foreign-text.js';

/** Characters of a path in the log of a terminal: a request takes two lines there at most. The JSON log has more. */
const longestPath = 50;

/**
 * A line of the log, JSON, as it is made pretty: with words that cannot steer a terminal, for people the escapes of
 * JSON are undone again, and what is said of a request in one sentence.
 */
export function readableLine(line: string): string {
  const facts: unknown = JSON.parse(line, readable);
  return `${JSON.stringify(isRequest(facts) ? inWords(facts) : facts)}\n`;
}

/** A value of a line as a terminal may show it; the line breaks of a stack are wanted. */
function readable(name: string, value: unknown): unknown {
  if (typeof value === 'string') {
    return name === 'stack' ? escapeForeignLines(value) : escapeForeign(value);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, of]) => [escapeForeign(key), of]));
}

interface RequestFacts {
  readonly request: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly address: string;
  readonly code?: string;
  readonly user?: number;
  readonly cashier?: number;
}

/** What `requestLog` writes, and nothing else does. */
function isRequest(facts: unknown): facts is RequestFacts {
  const names = ['request', 'method', 'path', 'status', 'ms', 'address'];
  return typeof facts === 'object' && facts !== null && names.every((name) => name in facts);
}

function inWords(facts: RequestFacts): object {
  const { request, method, path, status, ms, address, code, user, cashier, ...others } = facts;
  const failure = code === undefined ? '' : ` ${code}`;
  const who = user === undefined ? '' : ` user ${user}`;
  const till = cashier === undefined ? '' : ` cashier ${cashier}`;
  const room = longestPath - who.length - till.length;
  const shown = path.length > room ? `${path.slice(0, room)}…` : path;
  return {
    ...others,
    msg: `${method} ${shown} ${status}${failure} ${ms} ms ${address}${who}${till} ${request}`,
  };
}
