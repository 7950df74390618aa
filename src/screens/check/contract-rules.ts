import type { DocumentedRule } from '../findings/finding.js';

/** Summary and documentation by rule. */
const table: Readonly<Record<string, readonly [string, string]>> = {
  unreadable: [
    'The file cannot be read',
    'The file is missing, is a folder, or cannot be opened by the current user. The exit code is 2, which distinguishes a broken pipeline from an invalid definition.',
  ],
  unchecked: [
    'The file cannot be checked',
    'The check of the file failed, usually because it ran out of memory. Reduce the size or the nesting depth of the file. The other files are still checked.',
  ],
  encoding: [
    'The file is not UTF-8',
    'JSON files must be UTF-8. Save the file as UTF-8. A byte order mark is allowed.',
  ],
  'json-syntax': [
    'The file is not valid JSON',
    'The usual causes are an extra or missing comma, a comment, single quotes or an unclosed bracket. Only the first syntax error is reported, because it usually causes the later ones.',
  ],
  'duplicate-key': [
    'An object has a duplicate key',
    'If an object contains the same key twice, JSON parsers silently ignore the first value. Remove the wrong one.',
  ],
  required: [
    'A required property is missing',
    'The root requires product. Other objects require some of their properties, such as name and entity in product, or label and tone in a status. An empty string is allowed unless there is a minimum length.',
  ],
  'unknown-root-property': [
    'Unknown property at the root',
    'The root of a definition allows only the properties of the contract; $schema is not one of them. Associate the schema with the file name *.screen.json in your editor instead. Objects below the root allow other properties (see unknown-property).',
  ],
  type: [
    'A value has the wrong type',
    'The contract defines the type of each property: string, number, whole number, true or false, object or list. null is never allowed. Omit the property instead.',
  ],
  'one-of': [
    'A value is not one of the allowed words',
    'The property allows only certain words, such as ok, warn, risk or info for a tone. The spelling must match exactly, including case.',
  ],
  pattern: [
    'A text has the wrong form',
    'A column key must consist of Latin letters, digits and underscores, and must not begin with a digit. The date of a calendar event must have the form YYYY-MM-DD.',
  ],
  'max-length': [
    'A text is too long',
    'Lengths are measured in characters (Unicode code points). Shorten the text, or move it to a property with a higher limit.',
  ],
  'min-length': [
    'A text is empty',
    'product.name and product.entity describe the subject of the screen and must have at least one character.',
  ],
  'max-items': [
    'A list has too many items',
    'There is limited space for the list on the screen. Keep only the most important items.',
  ],
  'min-items': [
    'A list has too few items',
    'The block serves no purpose with so few items. Add items, or remove the block.',
  ],
  'min-properties': [
    'A dictionary is empty',
    'statuses must contain at least one status. Add one, or remove statuses.',
  ],
  minimum: [
    'A number is too small',
    'The minimum is 0 for indexes and bars, and 1 for page sizes and stages. Coordinates on the map range from 0 to 100.',
  ],
  maximum: ['A number is too large', 'Coordinates on the map range from 0 to 100.'],
};

/** The rules of the contract, which make a file invalid and cannot be switched off. */
export const contractRules: readonly DocumentedRule[] = Object.entries(table).map(
  ([id, [summary, documentation]]) => ({ id, severity: 'error', summary, documentation }),
);
