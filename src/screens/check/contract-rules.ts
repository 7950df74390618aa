import type { DocumentedRule } from '../findings/finding.js';

/** Summary and documentation of each rule. */
const table: Readonly<Record<string, readonly [string, string]>> = {
  unreadable: [
    'The file cannot be read',
    'The file is missing, is a folder, or may not be opened by this user. The exit code is then 2, so that a broken pipeline is told from a broken definition.',
  ],
  unchecked: [
    'The file cannot be checked',
    'The check of the file failed, mostly because it needs more memory than there is. Make the file smaller, or nest it less deeply. The other files are checked all the same.',
  ],
  encoding: [
    'The file is not UTF-8',
    'JSON is exchanged in UTF-8. Save the file in that encoding; a byte order mark is allowed.',
  ],
  'json-syntax': [
    'The file is not JSON',
    'The text breaks the grammar of JSON: a comma too many or too few, a comment, single quotes, a bracket that is not closed. Only the first fault is reported, because the ones after it are mostly its consequences.',
  ],
  'duplicate-key': [
    'An object names a key twice',
    'JSON parsers keep the last of two equal keys and drop the other one silently. Remove the one that is wrong.',
  ],
  required: [
    'A required property is missing',
    'The root needs product; many other objects need some of their properties, such as name and entity of product or label and tone of a status. An empty string is allowed unless a minimum length is stated.',
  ],
  'unknown-root-property': [
    'A property that the root does not have',
    'The root of a definition takes only the properties of the contract. Inside it, objects may carry properties of their own (see unknown-property). $schema is no exception: let the editor find the schema by the file name *.screen.json.',
  ],
  type: [
    'A value of the wrong kind',
    'The contract says for each property whether it is a string, a number, a whole number, true or false, an object or a list. null is none of them: leave the property out instead.',
  ],
  'one-of': [
    'A word that is not among the allowed ones',
    'The property takes one of a few words, such as ok, warn, risk or info for a tone. They are written exactly so.',
  ],
  pattern: [
    'A text that is not written as required',
    'Column keys start with a Latin letter or an underscore and go on with Latin letters, digits and underscores. Dates of calendar events are written YYYY-MM-DD.',
  ],
  'max-length': [
    'A text that is too long',
    'Lengths are counted in characters (Unicode code points). Shorten the text, or move it to a property with more room.',
  ],
  'min-length': [
    'A text that must not be empty',
    'product.name and product.entity say what the screen is about and need at least one character.',
  ],
  'max-items': [
    'A list with too many items',
    'The list is drawn in a limited space. Keep the items that matter most.',
  ],
  'min-items': [
    'A list with too few items',
    'The block makes no sense with fewer items. Add the missing ones or remove the block.',
  ],
  'min-properties': [
    'A dictionary without entries',
    'statuses holds at least one status. Add one, or remove statuses.',
  ],
  minimum: [
    'A number below the smallest allowed',
    'Indexes and bars are not below 0, page sizes and stages not below 1, places on the map lie between 0 and 100.',
  ],
  maximum: ['A number above the largest allowed', 'Places on the map lie between 0 and 100.'],
};

/** What makes a file invalid: the rules of the contract itself, which cannot be switched off. */
export const contractRules: readonly DocumentedRule[] = Object.entries(table).map(
  ([id, [summary, documentation]]) => ({ id, severity: 'error', summary, documentation }),
);
