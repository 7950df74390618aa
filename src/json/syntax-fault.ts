import { type ParseError, printParseErrorCode, visit } from 'jsonc-parser';
import { escapeForeign } from '../base/foreign-text.js';
import type { Range } from './find-in-text.js';

/** Why a text is not JSON, as a sentence, and where that shows. */
export interface SyntaxFault extends Range {
  readonly message: string;
}

const strict = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };

/**
 * The first fault of a text that is not JSON; the ones after it are mostly its consequences. `reason` is
 * the message of JSON.parse, which names the place in some faults only, in words that change between versions.
 */
export function findSyntaxFault(text: string, reason: string): SyntaxFault {
  const fault = firstFault(text);
  const { offset, length } = fault ?? { offset: offsetIn(reason, text), length: 1 };
  const why = fault ? explain(text, fault) : plainReason(reason);
  return { offset, length, message: `This is not JSON: ${why}` };
}

/** Nesting too deep for a recursive parser costs the exact place, never the run. */
function firstFault(text: string): ParseError | undefined {
  let fault: ParseError | undefined;
  const onError = (error: ParseError['error'], offset: number, length: number): never => {
    fault = { error, offset, length };
    // Ends the reading: a text may be nothing but faults.
    throw new Error('The first fault is found.');
  };
  try {
    visit(text, { onError }, strict);
  } catch (error) {
    if (!fault && !(error instanceof RangeError)) throw error;
  }
  return fault;
}

const explanations: Readonly<Record<string, string>> = {
  InvalidSymbol: 'a value is true, false, null, a number, a string in double quotes, [ or {.',
  InvalidNumberFormat: 'this number is not written as JSON writes numbers.',
  PropertyNameExpected: 'a property name in double quotes is expected here.',
  ValueExpected: 'a value is expected here.',
  ColonExpected: 'a colon is expected after the property name.',
  CommaExpected: 'a comma is expected before this.',
  CloseBraceExpected: 'the object is not closed: } is missing.',
  CloseBracketExpected: 'the list is not closed: ] is missing.',
  EndOfFileExpected: 'the document has ended, but more text follows.',
  InvalidCommentToken: 'comments are not allowed.',
  UnexpectedEndOfComment: 'comments are not allowed.',
  UnexpectedEndOfString: 'the string is not closed: " is missing.',
  UnexpectedEndOfNumber: 'the number breaks off.',
  InvalidUnicode: 'after \\u there must be four hexadecimal digits.',
  InvalidEscapeCharacter: 'this escape is unknown; write \\\\ for a backslash.',
  InvalidCharacter: 'line breaks, tabs and other control characters must be escaped in a string.',
};

function explain(text: string, { error, offset, length }: ParseError): string {
  if (text.trim() === '') return 'the file is empty.';
  const code = printParseErrorCode(error);
  const token = text.slice(offset, offset + length);
  const closing = /^[\]}]/.test(text.slice(offset));
  if (closing && text.slice(0, offset).trimEnd().endsWith(',')) {
    return 'a comma stands before the closing bracket; remove the comma.';
  }
  if (text.charAt(offset) === "'") return 'strings are written in double quotes.';
  if (code === 'InvalidSymbol')
    return `${excerpt(token)} is no value; ${explanations.InvalidSymbol}`;
  return explanations[code] ?? `${code}.`;
}

/** Characters of a wrong word that are repeated. */
const longestToken = 40;

function excerpt(token: string): string {
  const shown = escapeForeign(token.slice(0, longestToken));
  return token.length > longestToken ? `"${shown}…"` : `"${shown}"`;
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
