// Finds the bounds of sources and schemas. A constant is a bound by its name, by the tag @bound in its doc comment,
// or as a rate limit rule or the size of a cache. The first sentence of the comment says what it bounds, and in
// which unit: "Bytes of …", "… in bytes" or "… (bytes)". @internal marks what limits nothing from outside.
import { parseAst } from 'vitest/node';

const boundName =
  /^(?:most|longest|largest|highest|deepest|shortest|usual|remembered|cached)(?:[A-Z]|$)|^timeouts$|(?:Timeout|Limits?|Bounds)$/;
/** Names of constants that measure something and therefore need a unit. */
const measureName = /^longest|(?:Timeout|Life)$/;

const unit = '(milliseconds|seconds|days|bytes|characters|pixels)';
const unitPattern = new RegExp(`^${unit}\\b|\\bin ${unit}\\b|\\(${unit}\\)`, 'i');
const milliseconds = { milliseconds: 1, seconds: 1_000, days: 86_400_000 };
/** The units in which times and sizes are shown: the first one without a fraction. */
const shownTimes = { day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1_000, ms: 1 };
const shownSizes = { MB: 1024 ** 2, KB: 1024 };

const schemaLimits = {
  maxLength: (name) => [`Characters of ${name}.`, 'characters'],
  maxItems: (name) => [`The most items of ${name}.`],
  maxProperties: (name) => [`The most properties of ${name}.`],
  maximum: (name) => [`The highest ${name}.`],
};

/** Returns the bounds in a source file, in its order, with what is wrong about their comments. */
export function boundsOfSource(file, text) {
  const declared = [];
  const rules = [];
  const listed = new Set();
  visit(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }), (node) => {
    const { type, kind, declarations, left, right } = node;
    if (type === 'VariableDeclaration' && kind === 'const') {
      for (const { id, init } of declarations) declared.push([id.name, init, node]);
    }
    // A default that is another constant is listed as that one.
    if (type === 'AssignmentPattern' && right.type !== 'Identifier') {
      declared.push([left.name, right, node]);
    }
    if (fieldsOf(node).some(({ key }) => key.name === 'periodSeconds')) rules.push(node);
  });
  const values = new Map(declared);
  const named = declared.flatMap(([name, value, node]) => {
    const comment = commentBefore(node);
    const isBound = boundName.test(name) || comment.includes('@bound');
    return name && value ? partsOf(name, value, comment, isBound) : [];
  });
  const others = rules.filter((rule) => !listed.has(rule));
  return [...named, ...others.flatMap((rule) => partsOf('rule', rule, commentBefore(rule), false))];

  /** Returns the numbers and the rate limit rules in a value, each under its path. */
  function partsOf(name, given, comment, isBound) {
    const value = plain(given);
    const isCache = value.type === 'NewExpression' && value.callee.name === 'LRUCache';
    const fields = fieldsOf(isCache ? value.arguments[0] : value);
    const rule = Object.fromEntries(fields.map(({ key, value }) => [key.name, numberOf(value)]));
    if (rule.periodSeconds) {
      listed.add(value);
      return [describe({ name, file, comment, rule })];
    }
    const number = isBound ? numberOf(value) : undefined;
    if (number !== undefined) return [describe({ name, file, comment, number })];
    return fields.flatMap((field) => {
      const key = field.key.name ?? field.key.value;
      const isSize = isCache && /^max(?:Size)?$/.test(key) && field.value.type === 'Literal';
      const path = key === 'rule' ? name : `${name}.${key}`;
      return partsOf(path, field.value, commentBefore(field) || comment, isBound || isSize);
    });
  }

  function numberOf(given) {
    const { type, name, value, operator, left, right } = plain(given);
    if (type === 'Literal' && typeof value === 'number') return value;
    if (type === 'Identifier' && values.get(name)) return numberOf(values.get(name));
    if (type !== 'BinaryExpression') return undefined;
    const [a, b] = [numberOf(left), numberOf(right)];
    if (a === undefined || b === undefined) return undefined;
    return { '*': a * b, '**': a ** b, '-': a - b }[operator];
  }

  function commentBefore({ start }) {
    const before = text
      .slice(0, start)
      .replace(/\bexport\s+$/, '')
      .trimEnd();
    const comment = before.endsWith('*/') ? before.slice(before.lastIndexOf('/*')) : '';
    if (!comment.startsWith('/**')) return '';
    return comment
      .slice(3, -2)
      .replace(/\s+(?:\* )?/g, ' ')
      .trim();
  }
}

/** Returns the limits in a schema file. */
export function boundsOfSchema(file, { $defs }) {
  const found = [];
  const search = (value, path) => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, part] of Object.entries(value)) {
      // Whole numbers are exact up to here: not a limit of its own.
      if (key in schemaLimits && part < Number.MAX_SAFE_INTEGER) {
        const [what, unit] = schemaLimits[key](`\`${path.join('.')}\``);
        const name = [...path, key].join('.');
        found.push({ name, file, what, value: formatNumber(part, unit), faults: [] });
      }
      search(part, key === 'properties' ? path : [...path, key]);
    }
  };
  search($defs, []);
  return found;
}

function describe({ name, file, comment, number, rule }) {
  const [what = ''] = /^.+?\.(?= |$)/.exec(comment.replace(/ ?@(?:bound|internal)\b/g, '')) ?? [];
  const unit = unitPattern.exec(what)?.slice(1).find(Boolean)?.toLowerCase();
  const isUnclear = !rule && !unit && measureName.test(name.split('.').at(-1));
  const lack = what === '' ? 'a doc comment' : 'the unit in its doc comment';
  return {
    ...{ name, file, what, isInternal: comment.includes('@internal') },
    value: rule ? formatRule(rule) : formatNumber(number, unit),
    faults: what === '' || isUnclear ? [`${name} in ${file} lacks ${lack}.`] : [],
  };
}

function formatNumber(number, unit) {
  const isTime = unit in milliseconds;
  const value = isTime ? number * milliseconds[unit] : number;
  const shown = isTime ? shownTimes : unit === 'bytes' ? shownSizes : {};
  const [name = unit, size = 1] =
    Object.entries(shown).find(([, size]) => value % size === 0) ?? [];
  const count = (value / size).toLocaleString('en-US');
  if (name === undefined) return count;
  return `${count} ${name}${isTime && name !== 'ms' && count !== '1' ? 's' : ''}`;
}

/** Returns "100 an hour, 30 at once". */
function formatRule({ amount, periodSeconds, burst }) {
  const period = formatNumber(periodSeconds, 'seconds');
  const each = period
    .replace(/^1 hour/, 'an hour')
    .replace(/^1 /, 'a ')
    .replace(/^\d/, 'in $&');
  const rate = `${formatNumber(amount)} ${each}`;
  return burst === undefined ? rate : `${rate}, ${formatNumber(burst)} at once`;
}

/** Calls `found` with every node of a syntax tree, outer ones first. */
function visit(value, found) {
  if (typeof value !== 'object' || value === null) return;
  if (typeof value.type === 'string') found(value);
  for (const part of Object.values(value)) visit(part, found);
}

/** Returns an expression without types and parentheses around it, and without a function that returns it. */
function plain(node) {
  if (node.type === 'ArrowFunctionExpression') return plain(node.body);
  return /^TS(?:As|Satisfies)|^Parenthesized/.test(node.type) ? plain(node.expression) : node;
}

function fieldsOf(node) {
  return node?.type === 'ObjectExpression' ? node.properties.filter(({ key }) => key) : [];
}
