import { trimEndOf } from '../../base/trim-end.js';
import { exactInteger } from '../../json/exact-json.js';
import { isObject } from '../../json/pointers.js';
import type { Violation } from '../../json/violations.js';

/** Maximum length of a number that is sent as text, in characters. */
export const maxDigits = 40;

/**
 * The form in which a handler receives a lenient property, which clients may send as a number or as a string of digits:
 * a number, a whole number, a whole number of any length (`bigint` above 2^53), or text.
 */
export type NumberForm = 'number' | 'integer' | 'exact' | 'text';

/** The lenient properties of a body by name. The build derives them from the schema. */
export type NumberForms = Readonly<Record<string, NumberForm>>;

/** Returns a body with its lenient properties converted to their form where possible. The schema rejects the others. */
export function withOwnForms(body: unknown, forms: NumberForms): unknown {
  if (!isObject(body)) return body;
  const changed = Object.entries(forms)
    .filter(([name]) => Object.hasOwn(body, name))
    .map(([name, form]) => [name, readers[form](body[name])] as const)
    .filter(([name, value]) => value !== body[name]);
  return changed.length === 0 ? body : { ...body, ...Object.fromEntries(changed) };
}

/** Returns the violations with messages that name both forms of lenient properties. */
export function explainForms(violations: readonly Violation[], forms: NumberForms): Violation[] {
  return violations.map((violation) => {
    const { instancePath, keyword } = violation;
    const isOfForm = keyword === 'type' || keyword === 'exactDigits';
    const form = isOfForm ? forms[instancePath.slice(1)] : undefined;
    return form ? { ...violation, keyword: 'lenient', message: words[form](violation) } : violation;
  });
}

const words: Readonly<Record<NumberForm, (violation: Violation) => string>> = {
  number: () => 'must be a number, or plain digits as text, such as "1500.50"',
  integer: () => 'must be a whole number, or digits as text',
  exact: ({ message }) => `${message}, or digits as text`,
  text: () => 'must be text or a whole number',
};

const readers: Readonly<Record<NumberForm, (value: unknown) => unknown>> = {
  number: (value) => asNumber(value, plainNumber),
  integer: (value) => asNumber(value, plainInteger),
  exact: (value) => (isPlain(value, plainInteger) ? exactInteger(value) : value),
  text: (value) => (isExactNumber(value) ? String(value) : value),
};

/** A whole number in the notation of JSON. */
const plainInteger = /^-?(?:0|[1-9]\d*)$/;
const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * Converts a value to a number if no digits are lost. The limits in the schema reject numbers that are too large to be
 * exact.
 */
function asNumber(value: unknown, plain: RegExp): unknown {
  if (typeof value === 'bigint') return Number(value);
  return isPlain(value, plain) && hasExactDouble(value) ? Number(value) : value;
}

function isPlain(value: unknown, plain: RegExp): value is string {
  return typeof value === 'string' && value.length <= maxDigits && plain.test(value);
}

/** Number of decimal digits that every double preserves. */
const safeDigits = 15;

/** Returns whether a double preserves all digits of a number, so that money is never rounded silently. */
function hasExactDouble(text: string): boolean {
  if (!text.includes('.')) return true;
  const plain = trimEndOf(trimEndOf(text, '0'), '.');
  return plain.replace(/\D/g, '').length <= safeDigits || String(Number(text)) === plain;
}

function isExactNumber(value: unknown): boolean {
  return typeof value === 'bigint'
    ? value >= 0n
    : Number.isSafeInteger(value) && Number(value) >= 0;
}
