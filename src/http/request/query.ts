import { AppError, type ErrorDetail } from '../../base/errors.js';
import { nearest } from '../../base/nearest.js';
import { pointer } from '../../json/pointers.js';

/** A query parameter, in the terms of JSON Schema, so that the OpenAPI document can include it unchanged. */
export interface QueryParameter {
  readonly type: 'integer' | 'string';
  readonly description: string;
  readonly required?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly maxLength?: number;
  /** For the OpenAPI document. */
  readonly example?: string | number;
  /** True to use the first value of a repeated parameter. By default, repeating a parameter is an error. */
  readonly takesFirst?: boolean;
}

/** Maximum length of a text parameter that declares no limit, in characters. */
export const maxTextLength = 1000;

export type QueryParameters = Readonly<Record<string, QueryParameter>>;

/** The values of declared parameters. */
export type ValuesOf<Parameters extends QueryParameters> = {
  readonly [Name in keyof Parameters]:
    | (Parameters[Name]['type'] extends 'integer' ? number : string)
    | (Parameters[Name]['required'] extends true ? never : undefined);
};
export type QueryValues = Readonly<Record<string, string | number | undefined>>;

/**
 * Reads the declared parameters from a query string. Throws `validation_failed` with every value that is out of range,
 * of the wrong type or repeated. With `refuseUndeclared`, it also names every undeclared parameter.
 */
export function readQuery(
  parameters: QueryParameters = {},
  querystring: string,
  refuseUndeclared = false,
): QueryValues {
  const params = new URLSearchParams(querystring);
  const values: Record<string, string | number | undefined> = {};
  const details: ErrorDetail[] = [];
  for (const [name, parameter] of Object.entries(parameters)) {
    const texts = params.getAll(name);
    const fault = faultOf(parameter, texts);
    if (fault) details.push({ path: `/${name}`, message: fault });
    else if (texts[0] !== undefined) {
      values[name] = parameter.type === 'integer' ? Number(texts[0]) : texts[0];
    }
  }
  if (refuseUndeclared) details.push(...unknownOf(params, Object.keys(parameters)));
  if (details.length > 0) {
    throw new AppError('validation_failed', 'The query has values that are not allowed.', {
      details,
    });
  }
  return values;
}

/** Maximum number of unknown parameters that a response names. */
const maxNamed = 20;

/** Maximum number of characters of an unknown parameter's name that a response repeats. */
const maxNameLength = 40;

function unknownOf(params: URLSearchParams, declared: readonly string[]): ErrorDetail[] {
  const unknown = [...new Set(params.keys())].filter((name) => !declared.includes(name));
  return unknown.slice(0, maxNamed).map((name) => {
    const suggestion = nearest(name, declared);
    const advice = suggestion === undefined ? listed(declared) : `did you mean ${suggestion}?`;
    return {
      path: pointer([...name].slice(0, maxNameLength).join('')),
      message: `is unknown; ${advice}`,
    };
  });
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'no parameters are allowed' : `allowed: ${names.join(', ')}`;
}

function faultOf(parameter: QueryParameter, texts: readonly string[]): string | undefined {
  const [text] = texts;
  if (text === undefined) return parameter.required ? 'is required' : undefined;
  if (texts.length > 1 && !parameter.takesFirst) return 'must not be repeated';
  return parameter.type === 'integer'
    ? integerFault(parameter, text)
    : stringFault(parameter, text);
}

function integerFault({ minimum, maximum }: QueryParameter, text: string): string | undefined {
  const value = Number(text);
  if (!/^-?\d{1,16}$/.test(text) || !Number.isSafeInteger(value)) return 'must be a whole number';
  if (minimum !== undefined && value < minimum) return `must be ${minimum} or more`;
  if (maximum !== undefined && value > maximum) return `must be ${maximum} or less`;
  return undefined;
}

function stringFault(parameter: QueryParameter, text: string): string | undefined {
  const { required, pattern, maxLength = maxTextLength, description } = parameter;
  if (required && text.trim() === '') return 'is required';
  if (text.length > maxLength && [...text].length > maxLength)
    return `must have at most ${maxLength} characters`;
  if (pattern && !new RegExp(pattern, 'u').test(text)) return `must be ${description}`;
  return undefined;
}
