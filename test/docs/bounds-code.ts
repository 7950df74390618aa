import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { parseAst } from 'vitest/node';
import { type SyntaxNode as Node, visit } from '../helpers/syntax-tree.js';

/** `name`, or `name.field`, in a file, from the root of the project. */
export interface Constant {
  readonly file: string;
  readonly name: string;
}

/** A number, or an object of such. */
export type Value = number | { readonly [name: string]: Value | undefined };

/** Returns the value of a constant of the code or a schema. Throws if the file has none of this name. */
export function boundOf({ file, name }: Constant, root: string): Value {
  const [first = '', ...fields] = name.split('.');
  const text = readFileSync(`${root}/${file}`, 'utf8');
  let value: Value | undefined = file.endsWith('.json')
    ? JSON.parse(text).$defs[first]
    : numbersIn(first, declarationsIn(file, text));
  for (const field of fields) value = fieldOf(value, field);
  if (value === undefined) throw new Error(`${file} has no ${name} that is a number.`);
  return typeof value === 'number' ? value : (value.rule ?? value);
}

function fieldOf(value: Value | undefined, field: string): Value | undefined {
  if (typeof value !== 'object') return undefined;
  // A schema has its fields one level further down.
  return value[field] ?? fieldOf(value.properties, field);
}

/** Returns the constants of the sources that are bounds by their name, rate limit rules, and sizes of caches. */
export function boundsIn(root: string): Constant[] {
  const files = globSync(['bin/*.{js,mjs}', 'src/**/*.{ts,tsx}', 'commands/**/*.ts'], {
    cwd: root,
  });
  return files.flatMap((file) => {
    const all = declarationsIn(file, readFileSync(`${root}/${file}`, 'utf8'));
    const found = [...all].flatMap(([name, value]) => [
      ...(boundName.test(name) ? fieldNames(name, numbersIn(name, all)) : []),
      ...rulesOf(name, value),
      ...cacheSizes(name, value),
    ]);
    return [...new Set(found)].map((name) => ({ file, name }));
  });
}

/** Names by which the constants of this project show that they are bounds. */
const boundName =
  /^(?:most|longest|largest|highest|deepest|shortest|usual|remembered|cached)(?:[A-Z]|$)|^timeouts$|(?:Timeout|Limits?|Bounds)$/;

/** A number by its name, those in an object by theirs; rules are found for what they are. */
function fieldNames(name: string, value: Value | undefined): string[] {
  if (typeof value === 'number') return [name];
  if (value === undefined || 'rule' in value || 'periodSeconds' in value) return [];
  return Object.entries(value).flatMap(([field, part]) => fieldNames(`${name}.${field}`, part));
}

/** Returns the paths of the rate limit rules in a declaration. */
function rulesOf(name: string, given: Node | undefined): string[] {
  const value = plain(given);
  if (value?.type === 'ArrowFunctionExpression') return rulesOf(name, value.body as Node);
  const fields = fieldsOf(value);
  if (fields.some(([key]) => key === 'periodSeconds')) return [name];
  return fields.flatMap(([key, part]) => rulesOf(key === 'rule' ? name : `${name}.${key}`, part));
}

/** Returns the bounds of a cache: the constants in its options, or the numbers themselves. */
function cacheSizes(name: string, value: Node): string[] {
  if (value.type !== 'NewExpression' || (value.callee as Node).name !== 'LRUCache') return [];
  return fieldsOf((value.arguments as Node[])[0])
    .filter(([key]) => /^max(?:Size)?$/.test(key))
    .map(([key, { type, name: constant, object, property }]) => {
      if (type === 'Identifier') return String(constant);
      if (type === 'MemberExpression') return `${(object as Node).name}.${(property as Node).name}`;
      return `${name}.${key}`;
    });
}

type Declarations = ReadonlyMap<string, Node>;

/** Returns what names are declared as (constants, and options with their defaults); rules without one. */
function declarationsIn(file: string, text: string): Declarations {
  const found = new Map<string, Node>();
  const tree = parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' });
  visit(tree, ({ type, id, init, left, right }) => {
    const [name, value] = type === 'AssignmentPattern' ? [left, right] : [id, init];
    if (!/^(?:AssignmentPattern|VariableDeclarator)$/.test(type) || !value) return;
    const { name: word } = name as { readonly name?: string };
    if (word !== undefined && !found.has(word)) found.set(word, value as Node);
  });
  visit(tree, (node) => {
    if (!fieldsOf(node).some(([key]) => key === 'periodSeconds')) return;
    const isNamed = [...found.values()].some(
      ({ start, end }) => start <= node.start && node.end <= end,
    );
    if (!isNamed) found.set(`rule at ${node.start}`, node);
  });
  return found;
}

function numbersIn(name: string, all: Declarations): Value | undefined {
  return evaluate(all.get(name), all);
}

/** Evaluates an expression of numbers and objects; undefined for anything else. */
function evaluate(given: Node | undefined, all: Declarations): Value | undefined {
  const node = plain(given);
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'number' ? node.value : undefined;
    case 'Identifier':
      return numbersIn(String(node.name), all);
    case 'ArrowFunctionExpression':
      return evaluate(node.body as Node, all);
    case 'NewExpression':
      return evaluate((node.arguments as Node[])[0], all);
    case 'BinaryExpression':
      return calculate(node, all);
    case 'ObjectExpression':
      return Object.fromEntries(fieldsOf(node).map(([key, part]) => [key, evaluate(part, all)]));
    default:
      return undefined;
  }
}

function calculate({ operator, left, right }: Node, all: Declarations): number | undefined {
  const [a, b] = [evaluate(left as Node, all), evaluate(right as Node, all)];
  if (typeof a !== 'number' || typeof b !== 'number') return undefined;
  if (operator === '*') return a * b;
  if (operator === '**') return a ** b;
  return operator === '-' ? a - b : undefined;
}

/** Returns an expression without what TypeScript puts around it. */
function plain(node: Node | undefined): Node | undefined {
  const isAround = /^(?:TSAsExpression|TSSatisfiesExpression|ParenthesizedExpression)$/;
  return node && isAround.test(node.type) ? plain(node.expression as Node) : node;
}

/** Returns keys and values of an object; none for anything else. */
function fieldsOf(node: Node | undefined): [string, Node][] {
  if (node?.type !== 'ObjectExpression') return [];
  return (node.properties as Node[])
    .filter(({ type }) => type === 'Property')
    .map(({ key, value }) => {
      const { name, value: text } = key as { readonly name?: string; readonly value?: unknown };
      return [name ?? String(text), value as Node];
    });
}
