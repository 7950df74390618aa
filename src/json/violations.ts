import type { ErrorDetail } from '../base/errors.js';
import { escapeStep } from './pointers.js';

/** The part of an Ajv error that messages use. */
export interface Violation {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/** Converts Ajv's errors to readable details: a JSON Pointer and the requirement at that location. */
export function describeViolations(violations: readonly Violation[]): ErrorDetail[] {
  const details = new Map<string, ErrorDetail>();
  const empty = new Set(violations.filter(requiresContent).map(({ instancePath }) => instancePath));
  const useful = violations.filter(
    (each) => isUseful(each) && !(requiresNonBlank(each) && empty.has(each.instancePath)),
  );
  for (const [index, violation] of useful.entries()) {
    if (details.size === maxDetails) {
      return [...details.values(), { path: '', message: `and ${useful.length - index} more` }];
    }
    const detail = describeViolation(violation);
    // Several keywords may produce the same message for one location, such as a type within anyOf.
    details.set(`${detail.path} ${detail.message}`, detail);
  }
  return [...details.values()];
}

/** Maximum number of faults in a response. A body of 100 KB can have 20,000. */
const maxDetails = 100;

/** Returns false for combining keywords, which only report that a branch failed. */
function isUseful({ keyword }: Violation): boolean {
  return !['if', 'anyOf', 'oneOf', 'allOf', 'discriminator'].includes(keyword);
}

function requiresContent({ keyword, params }: Violation): boolean {
  return keyword === 'minLength' && params.limit === 1;
}

function requiresNonBlank({ keyword, params }: Violation): boolean {
  return keyword === 'pattern' && params.pattern === notBlank;
}

/** Converts one of Ajv's errors to a JSON Pointer and a message. */
export function describeViolation(violation: Violation): ErrorDetail {
  const { instancePath, keyword, params } = violation;
  if (keyword === 'required') {
    return { path: child(instancePath, params.missingProperty), message: 'is required' };
  }
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
    const name = params.additionalProperty ?? params.unevaluatedProperty;
    return { path: child(instancePath, name), message: 'is not a known property' };
  }
  return { path: instancePath, message: messageOf(violation) };
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

const formats: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  uri: 'a URL',
  date: 'a date such as 2026-01-31',
  'date-time': 'a date and time such as 2026-01-31T09:00:00Z',
};

function messageOf({ keyword, params, message }: Violation): string {
  const limit = Number(params.limit);
  switch (keyword) {
    case 'type':
      return `must be ${[params.type]
        .flat()
        .map((type) => kinds[String(type)] ?? type)
        .join(' or ')}`;
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`;
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'minimum':
      return `must be ${limit} or more`;
    case 'maximum':
      return `must be ${limit} or less`;
    case 'exclusiveMinimum':
      return `must be more than ${limit}`;
    case 'minItems':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} entries`;
    case 'maxItems':
      return `must have at most ${limit} entries`;
    case 'minProperties':
      return 'must have at least one property';
    case 'enum':
      return `must be one of ${(params.allowedValues as readonly unknown[]).join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`;
    case 'format':
      return `must be ${formats[String(params.format)] ?? String(params.format)}`;
    case 'pattern':
      return patternMessages[String(params.pattern)] ?? 'does not have the required format';
    default:
      return message ?? 'is not allowed';
  }
}

const notBlank = '\\S';

/** Messages for the patterns of the schemas. */
const patternMessages: Readonly<Record<string, string>> = {
  '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#\\\\][^\\s\\\\]*$': 'must be an http or https address',
  '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#][^\\s]*$': 'must be an http or https address',
  '^(?:[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#\\\\][^\\s\\\\]*|/(?![/\\\\])[^\\s\\\\]*)?$':
    'must be an http or https address, or a path on this site that begins with /',
  '^(?:[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#\\\\][^\\s\\\\]*)?$':
    'must be an http or https address, or empty',
  '^(?:[ ()+-]*[0-9][0-9 ()+-]*)?$':
    'must be a phone number of digits, spaces, brackets, + and -, or empty',
  '^(?:[ ()+-]*[0-9][0-9 ()+-]*|https://wa\\.me/[0-9]+)?$':
    'must be a phone number, a link such as https://wa.me/77011234567, or empty',
  [notBlank]: 'must not be empty or only white space',
  '^7\\d{10}$': 'must be 7 and ten more digits, such as 77011234567',
  '^\\+\\d{7,15}$': 'must be + and 7 to 15 digits, such as +77011234567',
  '^\\d{4}-\\d{2}-\\d{2}$': 'must be a date such as 2026-01-31',
  '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$':
    'must be a time such as 2026-01-31T09:00:00.000Z',
  '^\\d{1,30}$': 'must be 1 to 30 digits',
  '^[0-9a-f]{24}$': 'must be 24 hexadecimal digits in lower case',
  '^[0-9a-f]{32}$': 'must be 32 hexadecimal digits in lower case',
  '^[0-9a-f]{64}$': 'must be 64 hexadecimal digits in lower case',
  '^[0-9a-f]*$': 'must be hexadecimal digits in lower case',
  '^(?:[0-9a-f]{2})*$': 'must be pairs of hexadecimal digits in lower case',
  '^[A-Za-z0-9_-]{22}$': 'must be 22 letters, digits, - and _',
  '^[A-Za-z0-9_-]{43}$': 'must be 43 letters, digits, - and _',
  '^[\\w-]{1,128}$': 'must be 1 to 128 letters, digits, - and _',
  '^[\\w.-]{1,200}$': 'must be 1 to 200 letters, digits, dots, - and _',
  '^[A-Za-z0-9+/]+={0,2}$': 'must be base64',
  '^[^\\u0000]*$': 'must not contain the character U+0000',
  '^/media/[0-9a-f]{32}-(?:400|800|1600)\\.webp$': 'must be the address of a stored picture',
  '^[a-z]+(-[a-z]+)*(-{1,2}\\d{1,16})?$': 'must be the name of a stored state',
  '^evt_[0-9a-f]{32}$': 'must be the ID of an event: evt_ and 32 hexadecimal digits',
  '^dlv_[0-9a-f]{32}$': 'must be the ID of a delivery: dlv_ and 32 hexadecimal digits',
};

/** Maximum number of characters of an unknown property's name that a message repeats. */
const maxNameLength = 200;

function child(pointer: string, name: unknown): string {
  const text = String(name);
  const shown = text.length > maxNameLength ? `${text.slice(0, maxNameLength)}…` : text;
  return `${pointer}/${escapeStep(shown)}`;
}
