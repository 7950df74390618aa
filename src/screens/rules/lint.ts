import type { RowDefinition } from '../definition.js';
import type { Problem, Severity } from '../findings.js';
import { normaliseDefinition } from '../normalise.js';
import { isObject } from '../pointers.js';
import { readDefinition } from '../read-definition.js';
import { allRules } from './all-rules.js';
import type { RowField, Rule, RuleContext } from './rule.js';

/** Severities by rule id where they differ from the rule's own. */
export interface LintOptions {
  readonly severities?: Readonly<Record<string, Severity | 'off'>>;
}

/** Runs every rule that is not off over a parsed document. */
export function lint(data: unknown, { severities = {} }: LintOptions = {}): readonly Problem[] {
  if (!isObject(data)) return [];
  const context = createContext(data);
  return allRules.flatMap((rule) => {
    const severity = severities[rule.id] ?? rule.severity;
    return severity === 'off' ? [] : run(rule, severity, context);
  });
}

function run(rule: Rule, severity: Severity, context: RuleContext): readonly Problem[] {
  const problems: Problem[] = [];
  rule.check(context, (path, message, { atKey = false } = {}) => {
    problems.push({ rule: rule.id, severity, path, message, atKey });
  });
  return problems;
}

function createContext(data: unknown): RuleContext {
  const definition = readDefinition(data);
  const screen = normaliseDefinition(definition);
  const { columns = [], rows = [] } = definition.table ?? {};
  const rowFields = fieldsOf(rows);
  return {
    definition,
    screen,
    data,
    fields: new Set([...columns.map(({ key }) => key), ...rowFields.keys()]),
    rowFields,
    degradations: (code, under = '') =>
      screen.degradations.filter(
        (degradation) => degradation.code === code && isUnder(degradation.path, under),
      ),
  };
}

function fieldsOf(rows: readonly RowDefinition[]): ReadonlyMap<string, RowField> {
  const fields = new Map<string, { readonly first: number; count: number }>();
  for (let index = 0; index < rows.length; index++) {
    // What JSON.parse makes has no enumerable properties but its own.
    for (const key in rows[index]) {
      const known = fields.get(key);
      if (known) known.count++;
      else fields.set(key, { first: index, count: 1 });
    }
  }
  return fields;
}

function isUnder(path: string, parent: string): boolean {
  return path === parent || parent === '' || path.startsWith(`${parent}/`);
}
