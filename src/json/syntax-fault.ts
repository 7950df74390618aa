import { type ParseError, printParseErrorCode, visit } from 'jsonc-parser';
import { escapeForeign } from '../base/foreign-text.js';
import type { Range } from './find-in-text.js';

/** The range of the first fault, with a sentence that explains it. */
export interface SyntaxFault extends Range {
  readonly message: string;
}

const strict = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };

/**
 * Returns the first fault in a text that is not JSON. Later faults are usually consequences of the first one. `reason`
 * is the message of JSON.parse, which contains a position only for some faults and differs between versions of Node.js.
 */
export function findSyntaxFault(text: string, reason: string): SyntaxFault {
  const fault = firstFault(text);
  const { offset, length } = fault ?? { offset: offsetIn(reason, text), length: 1 };
  const why = fault ? explain(text, fault) : plainReason(reason);
  return { offset, length, message: `This is not JSON: ${why}` };
}

/** Returns undefined if the nesting is too deep for the parser. */
function firstFault(text: string): ParseError | undefined {
  let fault: ParseError | undefined;
  const onError = (error: ParseError['error'], offset: number, length: number): never => {
    fault = { error, offset, length };
    // Stops the parser, because a text may contain millions of faults.
    throw new Error('The first fault was found.');
  };
  try {
    visit(text, { onError }, strict);
  } catch (error) {
    if (!fault && !(error instanceof RangeError)) throw error;
  }
  return fault;
}

const explanations: Readonly<Record<string, string>> = {
  InvalidSymbol: 'expected true, false, null, a number, a string in double quotes, [ or {.',
  InvalidNumberFormat: 'this is not a valid JSON number.',
  PropertyNameExpected: 'expected a property name in double quotes.',
  ValueExpected: 'expected a value.',
  ColonExpected: 'expected a colon after the property name.',
  CommaExpected: 'expected a comma before this.',
  CloseBraceExpected: 'the object is not closed: } is missing.',
  CloseBracketExpected: 'the list is not closed: ] is missing.',
  EndOfFileExpected: 'the document has ended, but more text follows.',
  InvalidCommentToken: 'comments are not allowed.',
  UnexpectedEndOfComment: 'comments are not allowed.',
  UnexpectedEndOfString: 'the string is not closed: " is missing.',
  UnexpectedEndOfNumber: 'the number is incomplete.',
  InvalidUnicode: '\\u must be followed by four hexadecimal digits.',
  InvalidEscapeCharacter: 'unknown escape; write \\\\ for a backslash.',
  InvalidCharacter: 'line breaks, tabs and other control characters must be escaped in a string.',
};

function explain(text: string, { error, offset, length }: ParseError): string {
  if (text.trim() === '') return 'the file is empty.';
  const code = printParseErrorCode(error);
  const token = text.slice(offset, offset + length);
  const closing = /^[\]}]/.test(text.slice(offset));
  if (closing && text.slice(0, offset).trimEnd().endsWith(',')) {
    return 'remove the comma before the closing bracket.';
  }
  if (text.charAt(offset) === "'") return 'strings must be in double quotes.';
  if (code === 'InvalidSymbol')
    return `${excerpt(token)} is not a value; ${explanations.InvalidSymbol}`;
  return explanations[code] ?? `${code}.`;
}

/** Maximum number of characters of an invalid word that a message quotes. */
const maxTokenLength = 40;

function excerpt(token: string): string {
  const shown = escapeForeign(token.slice(0, maxTokenLength));
  return token.length > maxTokenLength ? `"${shown}…"` : `"${shown}"`;
}

function offsetIn(reason: string, text: string): number {
  const offset = Number(/position (\d+)/.exec(reason)?.[1] ?? 0);
  return Math.min(offset, Math.max(0, text.length - 1));
}

function plainReason(reason: string): string {
  const quoted = reason.endsWith('" is not valid JSON') ? reason.search(/,? ?(?:\.\.\.)?"/) : -1;
  const [short] = (quoted < 0 ? reason : reason.slice(0, quoted)).split(' in JSON', 1);
  return `${short || 'it cannot be read'}.`;
}
