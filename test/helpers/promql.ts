import { parser } from '@prometheus-io/lezer-promql';
import type { Sample } from './read-metrics.js';

/** The values of one scrape, at a time in seconds. */
export interface Scrape {
  readonly at: number;
  readonly samples: readonly Sample[];
}

type Labels = Sample['labels'];

interface Value {
  readonly labels: Labels;
  readonly value: number;
}

type Node = ReturnType<typeof parser.parse>['topNode'];

/**
 * Evaluates a PromQL expression at the time of the last scrape, for tests without promtool. It supports only the syntax
 * of simple rules (see `evaluate`) and throws for everything else. Unlike in Prometheus, `increase` and `delta` return
 * the difference between the first and the last value in their range, without extrapolation and counter resets.
 */
export function evaluatePromql(text: string, scrapes: readonly Scrape[]): readonly Value[] {
  const now = scrapes.at(-1)?.at ?? 0;
  const textOf = ({ from, to }: Node) => text.slice(from, to);

  function childrenOf(node: Node): Node[] {
    const children: Node[] = [];
    for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
    return children;
  }

  function named(node: Node, name: string): Node[] {
    return childrenOf(node).flatMap((child) => [
      ...(child.name === name ? [child] : []),
      ...named(child, name),
    ]);
  }

  const first = (node: Node, name: string): Node => {
    const [found] = named(node, name);
    if (!found) throw new Error(`${textOf(node)} has no ${name}.`);
    return found;
  };

  function select(node: Node, { samples }: Scrape): Value[] {
    const name = textOf(first(node, 'Identifier'));
    const matchers = named(node, 'UnquotedLabelMatcher').map((matcher) => {
      const [label = matcher, operator = matcher, expected = matcher] = childrenOf(matcher);
      return matcherOf(textOf(label), textOf(operator), JSON.parse(textOf(expected)));
    });
    return samples.filter(
      (sample) => sample.name === name && matchers.every((fits) => fits(sample)),
    );
  }

  function change(node: Node): Value[] {
    const span = secondsOf(textOf(first(node, 'DurationExpr')));
    const within = scrapes.filter(({ at }) => at >= now - span);
    const [early, late] = [within[0], within.at(-1)];
    if (!early || !late || early === late) return [];
    const before = new Map(select(node, early).map(({ labels, value }) => [keyOf(labels), value]));
    return select(node, late).flatMap(({ labels, value }) => {
      const was = before.get(keyOf(labels));
      return was === undefined ? [] : [{ labels, value: value - was }];
    });
  }

  function aggregate(node: Node): Value[] {
    const [operator = node] = childrenOf(node);
    const by = named(first(node, 'GroupingLabels'), 'LabelName').map(textOf);
    const groups = new Map<string, { labels: Labels; values: number[] }>();
    for (const { labels, value } of evaluate(bodyOf(node))) {
      const kept = Object.fromEntries(by.map((name) => [name, labels[name] ?? '']));
      const group = groups.get(keyOf(kept)) ?? { labels: kept, values: [] };
      group.values.push(value);
      groups.set(keyOf(kept), group);
    }
    const merge = textOf(operator) === 'max' ? Math.max : sum;
    return [...groups.values()].map(({ labels, values }) => ({ labels, value: merge(...values) }));
  }

  function bodyOf(node: Node): Node {
    const [body] = childrenOf(first(node, 'FunctionCallBody'));
    if (!body) throw new Error(`${textOf(node)} has no argument.`);
    return body;
  }

  function evaluate(node: Node): Value[] {
    const [left = node, operator = node, right = node] = childrenOf(node);
    const last = scrapes.at(-1);
    switch (node.name) {
      case 'VectorSelector':
        return last ? select(node, last) : [];
      case 'AggregateExpr':
        return aggregate(node);
      case 'FunctionCall':
        if (!['increase', 'delta'].includes(textOf(left))) break;
        return change(node);
      case 'BinaryExpr': {
        if (right.name !== 'NumberDurationLiteral') break;
        const limit = Number(textOf(right));
        if (textOf(operator) === '>') return evaluate(left).filter(({ value }) => value > limit);
        if (textOf(operator) === '==') return evaluate(left).filter(({ value }) => value === limit);
      }
    }
    throw new Error(`Unsupported PromQL: ${textOf(node)}`);
  }

  const [root] = childrenOf(parser.parse(text).topNode);
  if (!root || named(root, '⚠').length > 0) throw new Error(`Invalid PromQL: ${text}`);
  return evaluate(root);
}

function matcherOf(label: string, operator: string, expected: string): (sample: Sample) => boolean {
  if (operator === '=') return ({ labels }) => (labels[label] ?? '') === expected;
  if (operator === '!=') return ({ labels }) => (labels[label] ?? '') !== expected;
  throw new Error(`Unsupported operator: ${operator}`);
}

/** Returns the names of metrics that an expression reads. Throws if it is not valid PromQL. */
export function metricsIn(text: string): string[] {
  const names: string[] = [];
  parser.parse(text).iterate({
    enter({ name, from, to, type }) {
      if (type.isError) throw new Error(`Invalid PromQL: ${text}`);
      if (name === 'VectorSelector') names.push(/^\w*/.exec(text.slice(from, to))?.[0] ?? '');
    },
  });
  return names;
}

function keyOf(labels: Labels): string {
  return JSON.stringify(Object.entries(labels).sort());
}

function sum(...values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

function secondsOf(duration: string): number {
  const [, count, unit = ''] = /^(\d+)([smhd])$/.exec(duration) ?? [];
  return Number(count) * (seconds[unit] ?? Number.NaN);
}
