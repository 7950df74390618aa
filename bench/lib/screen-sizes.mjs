// Creates definitions in which one part has any size, for every part of the schema that may grow. The parts are read
// from the schema, so that lists that are added later are included.
import { readFileSync } from 'node:fs';

const schema = JSON.parse(
  readFileSync(new URL('../../schemas/screen.schema.json', import.meta.url), 'utf8'),
);

/** The blocks of a definition. */
export const blocks = Object.keys(schema.properties);

/** Returns the archetype that draws a block, by default a queue. `archetypeBlocks` come from the program. */
export function archetypeOf(block, archetypeBlocks) {
  const owner = Object.entries(archetypeBlocks).find(([id, [own = id]]) => own === block);
  return owner?.[0] ?? 'queue';
}

/** Number of items in a list that does not grow: one for each type of section. There are fewer types of columns. */
const usual = 6;

/**
 * Returns the parts that may grow: `items` of a list, `entries` of a map, unknown `names` in an object, or a `text`.
 * The path is a list of steps, `*` for any item.
 */
export function growingThings() {
  const found = [];
  const visit = (given, path) => {
    const node = resolve(given);
    const { type, items, properties = {}, additionalProperties } = node;
    if (items) {
      found.push({ path, kind: 'items' });
      visit(items, [...path, '*']);
    } else if (type === 'object') {
      if (isMap(node)) found.push({ path, kind: 'entries' });
      found.push({ path, kind: 'names' });
      if (typeof additionalProperties === 'object') visit(additionalProperties, [...path, '*']);
      for (const [name, inner] of Object.entries(properties)) visit(inner, [...path, name]);
    } else if ([type].flat().includes('string') && !node.enum) found.push({ path, kind: 'text' });
  };
  visit(schema, []);
  return found;
}

/**
 * Kinds of growing items: `sound` ones are valid, `same` ones are all equal, `astray` ones have references with
 * typing errors and values that cannot be shown, `broken` ones have wrong types and misspelt names.
 */
const manners = ['sound', 'same', 'astray', 'broken'];

/**
 * Returns the kind of an item. Among `mixed` items, pairs have the same kind, as some errors affect every other item.
 */
function mannerOf(manner, index) {
  return manner === 'mixed' ? manners[(index >> 1) % manners.length] : manner;
}

/** Returns a definition with growing parts of this size and the blocks that they refer to. The rest is valid. */
export function grownDefinition(things, size, { manner = 'sound', archetype = 'queue' } = {}) {
  const written = new Set([...common, ...[things].flat().map(({ path }) => path[0])]);
  const grown = new Map([things].flat().map((thing) => [thing.path.join('/'), thing.kind]));
  const sizeAt = ({ path }, kind) => (grown.get(path.join('/')) === kind ? size : undefined);
  const make = (given, place) => {
    const node = resolve(given);
    const { path, index, manner: how } = place;
    const inside = (step, at, more) => ({ ...place, path: [...path, step], index: at, ...more });
    if (node.items) {
      const own = sizeAt(place, 'items');
      const count = own ?? Math.min(usual, node.maxItems ?? usual);
      return Array.from({ length: count }, (_, at) => {
        const way = own === undefined ? how : mannerOf(manner, at);
        const item = inside('*', at, { manner: way });
        // In a broken list, some whole items have the wrong type.
        return way === 'broken' && at % 4 === 3
          ? wrongKind(resolve(node.items))
          : make(node.items, item);
      });
    }
    if (node.type === 'object') {
      const { properties = {}, additionalProperties } = node;
      const result = {};
      for (const [name, inner] of Object.entries(properties)) {
        if (path.length === 0 && !written.has(name)) continue;
        const spelled = how === 'broken' && index % 2 === 1 ? `${name}x` : name;
        result[spelled] = make(inner, inside(name, index));
      }
      if (isMap(node)) {
        const own = sizeAt(place, 'entries');
        for (let at = 0; at < (own ?? usual); at++) {
          const way = own === undefined ? how : mannerOf(manner, at);
          const name = `${textOf(at, way === 'same' ? 'sound' : way)}`;
          result[name] =
            typeof additionalProperties === 'object'
              ? make(additionalProperties, inside('*', at, { manner: way }))
              : cellOf(at, index, way);
        }
      }
      for (let at = 0; at < (sizeAt(place, 'names') ?? 0); at++) {
        const known = Object.keys(properties);
        result[manner === 'sound' ? `own ${at}` : `${known[at % known.length]}${at}`] =
          manner === 'broken' ? { deep: [[{ at }]] } : at;
      }
      return result;
    }
    const long = sizeAt(place, 'text');
    if (long !== undefined) return longText(long);
    if (path.length === 1 && path[0] === 'archetype') return archetype;
    if (path.at(-1) === 'dateKey') return textOf(2, how);
    return scalarOf(node, index, how);
  };
  return make(schema, { path: [], index: 0, manner: 'sound' });
}

/** Blocks that others refer to. */
const common = ['archetype', 'product', 'statuses', 'table', 'drawer', 'kpis', 'nav', 'ai'];

function resolve(node) {
  return node.$ref ? { ...schema.definitions[node.$ref.replace('#/definitions/', '')] } : node;
}

/** Returns true for objects with arbitrary names, such as rows and statuses, that the contract uses. */
function isMap({ type, additionalProperties }) {
  return (
    type === 'object' && (additionalProperties === true || typeof additionalProperties === 'object')
  );
}

/** Returns a text that is also a name, so that references by name work. */
function textOf(index, manner) {
  if (manner === 'same') return 'w0';
  return manner === 'sound' ? `w${index}` : `wx${index}\u200b`;
}

function scalarOf(node, index, manner) {
  if (manner === 'broken' && index % 2 === 0) return wrongKind(node);
  const at = manner === 'same' ? 0 : index;
  const types = [node.type].flat();
  if (node.enum) return manner === 'astray' ? `${node.enum[0]}x` : node.enum[at % node.enum.length];
  if (types.includes('boolean')) return at % 2 === 0;
  if (types.includes('number') || types.includes('integer'))
    return manner === 'astray' ? at + 0.5 : at + (node.minimum ?? 0);
  if (node.pattern?.includes('d{4}')) return dateOf(at, manner);
  return textOf(index, manner);
}

function dateOf(index, manner) {
  return manner === 'astray'
    ? '2026-02-31'
    : new Date(index * 86_400_000).toISOString().slice(0, 10);
}

/** Returns a cell for the type of its column: text, number, date or status. */
function cellOf(column, row, manner) {
  if (manner === 'astray') return `wx${row}`;
  const at = manner === 'same' ? 0 : row;
  return [`w${at}`, at, dateOf(at, manner), `w${at}`][column % 4];
}

function wrongKind({ type }) {
  return [type].flat().includes('string') ? [1] : 'none';
}

/** Returns words of all kinds. Every tenth word ends a sentence, and every hundredth ends a paragraph. */
function longText(size) {
  const words = ['word', '*w*', 'wo\u200brd', '[`_**<', '1,5', 'ROI'];
  const end = (at) => (at % 100 === 99 ? '.\n\n' : at % 10 === 9 ? '. ' : ' ');
  return Array.from({ length: size }, (_, at) => words[at % words.length] + end(at)).join('');
}
