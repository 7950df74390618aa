import { trimEndOf } from '../../base/trim-end.js';
import { exactInteger } from '../../json/exact-json.js';
import { isObject } from '../../json/pointers.js';
import type { Violation } from '../../json/violations.js';

/** Characters of a number that is given as text. */
export const longestDigits = 40;

/**
 * What a lenient property of a body is to its handler, whether a client sends it as a number or as digits in text:
 * a number, a whole number, a whole number of any length (`bigint` beyond 2^53), or text.
 */
export type NumberForm = 'number' | 'integer' | 'exact' | 'text';

/** The lenient properties of a body by name, as the build finds them in its schema. */
export type NumberForms = Readonly<Record<string, NumberForm>>;

/** A body whose lenient properties have their own form wherever they can; its schema refuses the others. */
export function withOwnForms(body: unknown, forms: NumberForms): unknown {
  if (!isObject(body)) return body;
  const changed = Object.entries(forms)
    .filter(([name]) => Object.hasOwn(body, name))
    .map(([name, form]) => [name, readers[form](body[name])] as const)
    .filter(([name, value]) => value !== body[name]);
  return changed.length === 0 ? body : { ...body, ...Object.fromEntries(changed) };
}

/** The rules that lenient properties break, in words that say both of their forms. */
export function explainForms(violations: readonly Violation[], forms: NumberForms): Violation[] {
  return violations.map((violation) => {
    const { instancePath, keyword } = violation;
    const isOfForm = keyword === 'type' || keyword === 'exactDigits';
    const form = isOfForm ? forms[instancePath.slice(1)] : undefined;
    return form ? { ...violation, keyword: 'lenient', message: words[form](violation) } : violation;
  });
}

const words: Readonly<Record<NumberForm, (violation: Violation) => string>> = {
  number: () => 'must be a number, or its plain digits as text, such as "1500.50"',
  integer: () => 'must be a whole number, or its digits as text',
  exact: ({ message }) => `${message}, or its digits as text`,
  text: () => 'must be text, or a whole number',
};

const readers: Readonly<Record<NumberForm, (value: unknown) => unknown>> = {
  number: (value) => asNumber(value, plainNumber),
  integer: (value) => asNumber(value, plainInteger),
  exact: (value) => (isPlain(value, plainInteger) ? exactInteger(value) : value),
  text: (value) => (isExactNumber(value) ? String(value) : value),
};

/** Digits as JSON writes them. */
const plainInteger = /^-?(?:0|[1-9]\d*)$/;
const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** A bound of the schema refuses what is too large to be exact. */
function asNumber(value: unknown, plain: RegExp): unknown {
  if (typeof value === 'bigint') return Number(value);
  return isPlain(value, plain) && hasExactDouble(value) ? Number(value) : value;
}

function isPlain(value: unknown, plain: RegExp): value is string {
  return typeof value === 'string' && value.length <= longestDigits && plain.test(value);
}

/** Digits that any double keeps. */
const safeDigits = 15;

/** Whether no digit is lost of a number with a fraction: money is not rounded unseen. */
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
