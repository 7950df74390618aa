import { escapeForeign } from '../../base/foreign-text.js';
import { listWords } from '../findings/finding.js';
import { excerpt } from '../text/quote.js';

/** Formats text as Markdown, or as plain text for clients without Markdown. */
export interface Style {
  readonly isMarkdown: boolean;
  bold(text: string): string;
  code(text: string): string;
  /** Escapes Markdown and control characters. */
  text(text: string): string;
}

/** Maximum length of quoted text from a definition, in characters. */
const longest = 200;

export function createStyle(isMarkdown: boolean): Style {
  const text = (words: string): string =>
    isMarkdown ? escapeMarkdown(escapeForeign(words)) : escapeForeign(words);
  return {
    isMarkdown,
    text,
    bold: (words) => (isMarkdown ? `**${text(words)}**` : text(words)),
    code: (words) => (isMarkdown ? codeSpan(excerpt(words, longest)) : excerpt(words, longest)),
  };
}

function escapeMarkdown(text: string): string {
  // Some additional characters are special at the beginning of a line.
  return text.replace(/[\\`*_[\]#|~<>&]/g, '\\$&').replace(/^(\d*)([-+=.)])/, '$1\\$2');
}

/** Returns a code span whose fence does not occur in the text. */
function codeSpan(text: string): string {
  const maxRun = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(maxRun + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}

/** The path of a value: names of properties and indexes of items. */
export type Path = readonly (string | number)[];

/** The JSON Schema keywords that the contract uses. */
export interface ContractNode {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, ContractNode>>;
  readonly additionalProperties?: boolean | ContractNode;
  readonly items?: ContractNode;
  readonly required?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minProperties?: number;
}

/** Looks up paths in the contract. */
export type Contract = ReturnType<typeof createContract>;

/** Creates the contract from the schema of screen definitions. */
export function createContract(
  schema: ContractNode & { readonly definitions?: Readonly<Record<string, ContractNode>> },
) {
  const resolve = (node: ContractNode | undefined): ContractNode | undefined => {
    const name = node?.$ref?.split('/').at(-1);
    return name === undefined ? node : schema.definitions?.[name];
  };
  /** Returns the schema of a property or item. */
  const inside = (
    { properties = {}, additionalProperties, items }: ContractNode,
    step: string | number,
  ): ContractNode | undefined => {
    if (typeof step === 'number') return resolve(items);
    if (Object.hasOwn(properties, step)) return resolve(properties[step]);
    return typeof additionalProperties === 'object' ? resolve(additionalProperties) : undefined;
  };
  /** Returns the schema at a path, or undefined. */
  const at = (path: Path): ContractNode | undefined =>
    path.reduce<ContractNode | undefined>((node, step) => node && inside(node, step), schema);
  return {
    at,
    inside,
    /** Returns true for a required property. */
    requires(path: Path): boolean {
      const name = path.at(-1);
      return typeof name === 'string' && at(path.slice(0, -1))?.required?.includes(name) === true;
    },
  };
}

/** Returns true for a deprecated property. */
export function isDeprecated({ title = '' }: ContractNode): boolean {
  return title.endsWith('(deprecated)');
}

/** Returns true if a type (`string`, `object`, …) is allowed. */
export function allows({ type }: ContractNode, kind: string): boolean {
  return type === kind || (Array.isArray(type) && type.includes(kind));
}

/** Describes the value at a path: title, type, limits, purpose and allowed words. */
export function describePath(contract: Contract, path: Path, style: Style): string {
  const node = contract.at(path);
  if (node === undefined) return '';
  const { title = '', description = '', enum: words } = node;
  const name = path.at(-1);
  const heading = typeof name === 'string' ? `${style.code(name)} — ${title}` : title;
  const facts = [
    kindOf(node),
    contract.requires(path) ? 'required' : '',
    ...limitsOf(node),
    node.default !== undefined && typeof node.default !== 'object' ? `default ${node.default}` : '',
    isDeprecated(node) ? 'deprecated' : '',
  ].filter(Boolean);
  const allowed = words ? [`One of ${listWords(words.map(style.code), 'or')}.`] : [];
  return [
    typeof name === 'string' ? heading : style.bold(heading),
    facts.join(' · '),
    style.text(description),
    ...allowed,
  ]
    .filter(Boolean)
    .join('\n\n');
}

function kindOf({ type, enum: words }: ContractNode): string {
  if (words) return '';
  const kinds = typeof type === 'string' ? [type] : (type ?? []);
  return listWords(
    kinds.map((kind) => kindNames[kind] ?? kind),
    'or',
  );
}

const kindNames: Readonly<Record<string, string>> = {
  array: 'list',
  boolean: 'true or false',
  integer: 'whole number',
  string: 'text',
};

/** Returns texts such as `at most 24 characters`, `2 to 14 items`, `0 to 100`. */
function limitsOf(node: ContractNode): readonly string[] {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum, minProperties } = node;
  return [
    between(minLength, maxLength, 'characters'),
    between(minItems, maxItems, 'items'),
    between(minimum, maximum, ''),
    between(minProperties, undefined, 'properties'),
    node.pattern === undefined ? '' : `must match ${node.pattern}`,
  ];
}

function between(from: number | undefined, to: number | undefined, units: string): string {
  if (from === undefined && to === undefined) return '';
  const unit = units && ` ${(to ?? from) === 1 ? singular(units) : units}`;
  if (from === undefined) return `at most ${to}${unit}`;
  return to === undefined ? `at least ${from}${unit}` : `${from} to ${to}${unit}`;
}

function singular(noun: string): string {
  return noun === 'properties' ? 'property' : noun.slice(0, -1);
}
