import { longestDigits } from '../request/number-forms.js';

type Schema = Readonly<Record<string, unknown>>;

/**
 * A part of a schema file as the OpenAPI document has it: our own keywords `exactDigits` and `lenient` (see
 * scripts/lib/number-forms.mjs) in words that every reader of schemas knows.
 */
export function openForms(schema: Schema): Schema {
  if (schema.lenient !== true) return withoutExactDigits(schema);
  const { lenient, description, default: byDefault, ...own } = schema;
  return {
    ...(description === undefined ? {} : { description }),
    ...(byDefault === undefined ? {} : { default: byDefault }),
    oneOf: [withoutExactDigits(own), otherForm(own)],
  };
}

function withoutExactDigits(schema: Schema): Schema {
  if (typeof schema.exactDigits !== 'number') return schema;
  const { exactDigits, ...others } = schema;
  return { ...others, exclusiveMaximum: 10 ** exactDigits };
}

function otherForm({ type, exactDigits, maxLength }: Schema): object {
  if (type === 'string') {
    return { type: 'integer', minimum: 0, exclusiveMaximum: 10 ** Number(maxLength) };
  }
  if (typeof exactDigits === 'number') {
    return { type: 'string', pattern: '^(0|[1-9][0-9]*)$', maxLength: exactDigits };
  }
  const fraction = type === 'number' ? '(\\.[0-9]+)?' : '';
  return { type: 'string', pattern: `^-?(0|[1-9][0-9]*)${fraction}$`, maxLength: longestDigits };
}
