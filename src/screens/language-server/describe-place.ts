import { listWords } from '../check/findings.js';
import { type Contract, type ContractNode, isDeprecated, type Path } from './contract.js';
import type { Style } from './style.js';

/** What the contract says of a place: title, kind and bounds, allowed words, what it is for. */
export function describePlace(contract: Contract, path: Path, style: Style): string {
  const node = contract.at(path);
  if (node === undefined) return '';
  const { title = '', description = '', enum: words } = node;
  const name = path.at(-1);
  const heading = typeof name === 'string' ? `${style.code(name)} — ${title}` : title;
  const facts = [
    kindOf(node),
    contract.requires(path) ? 'required' : '',
    ...boundsOf(node),
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

/** `at most 24 characters`, `2 to 14 items`, `from 0 to 100`. */
function boundsOf(node: ContractNode): readonly string[] {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum, minProperties } = node;
  return [
    between(minLength, maxLength, 'characters'),
    between(minItems, maxItems, 'items'),
    between(minimum, maximum, ''),
    between(minProperties, undefined, 'properties'),
    node.pattern === undefined ? '' : `written as ${node.pattern}`,
  ];
}

function between(from: number | undefined, to: number | undefined, what: string): string {
  if (from === undefined && to === undefined) return '';
  const unit = what && ` ${(to ?? from) === 1 ? singular(what) : what}`;
  if (from === undefined) return `at most ${to}${unit}`;
  return to === undefined ? `at least ${from}${unit}` : `${from} to ${to}${unit}`;
}

function singular(what: string): string {
  return what === 'properties' ? 'property' : what.slice(0, -1);
}
