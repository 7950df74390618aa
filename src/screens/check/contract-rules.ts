import type { DocumentedRule } from '../findings/finding.js';

/** Summary and documentation by rule. */
const table: Readonly<Record<string, readonly [string, string]>> = {
  unreadable: [
    'The file cannot be read',
    'The file is missing, is a folder, or cannot be opened by this user. The exit code is 2, so that a broken pipeline differs from an invalid definition.',
  ],
  unchecked: [
    'The file cannot be checked',
    'The check of the file failed, usually for lack of memory. Make the file smaller, or nest it less deeply. The other files are still checked.',
  ],
  encoding: [
    'The file is not UTF-8',
    'JSON files are UTF-8. Save the file as UTF-8; a byte order mark is allowed.',
  ],
  'json-syntax': [
    'The file is not JSON',
    'The text is not valid JSON: it has an extra or a missing comma, a comment, single quotes or an unclosed bracket. Only the first fault is reported, because later ones are usually its consequences.',
  ],
  'duplicate-key': [
    'An object has a duplicate key',
    'JSON parsers keep the last of two equal keys and silently drop the other. Remove the wrong one.',
  ],
  required: [
    'A required property is missing',
    'The root requires product. Other objects require some of their properties, such as name and entity in product, or label and tone in a status. An empty string is allowed unless there is a minimum length.',
  ],
  'unknown-root-property': [
    'Unknown property at the root',
    'The root of a definition allows only the properties of the contract; $schema is not one of them. Bind the schema to the file name *.screen.json in your editor instead. Objects inside the root allow other properties (see unknown-property).',
  ],
  type: [
    'A value has the wrong type',
    'The contract defines the type of each property: string, number, whole number, true or false, object or list. null is never allowed; leave the property out instead.',
  ],
  'one-of': [
    'A word is not allowed',
    'The property allows only certain words, such as ok, warn, risk or info for a tone. The spelling must match exactly.',
  ],
  pattern: [
    'A text has the wrong form',
    'A column key begins with a Latin letter or an underscore; Latin letters, digits and underscores follow. The date of a calendar event has the form YYYY-MM-DD.',
  ],
  'max-length': [
    'A text is too long',
    'Lengths count characters (Unicode code points). Shorten the text, or move it to a property with a higher limit.',
  ],
  'min-length': [
    'A text is empty',
    'product.name and product.entity name the subject of the screen and need at least one character.',
  ],
  'max-items': [
    'A list has too many items',
    'The list is shown in a limited space. Keep the most important items.',
  ],
  'min-items': [
    'A list has too few items',
    'The block is useless with fewer items. Add items or remove the block.',
  ],
  'min-properties': [
    'A dictionary is empty',
    'statuses needs at least one status. Add one, or remove statuses.',
  ],
  minimum: [
    'A number is too small',
    'Indexes and bars start at 0, page sizes and stages at 1. Positions on the map range from 0 to 100.',
  ],
  maximum: ['A number is too large', 'Positions on the map range from 0 to 100.'],
};

/** The rules of the contract, which make a file invalid and cannot be switched off. */
export const contractRules: readonly DocumentedRule[] = Object.entries(table).map(
  ([id, [summary, documentation]]) => ({ id, severity: 'error', summary, documentation }),
);
