import type { Problem, Severity } from '../findings.js';
import { normaliseDefinition } from '../normalise.js';
import { isObject } from '../pointers.js';
import { readDefinition } from '../read-definition.js';
import { allRules } from './all-rules.js';
import type { Rule, RuleContext } from './rule.js';

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
  const fields = new Set(columns.map(({ key }) => key));
  for (const row of rows) for (const key of Object.keys(row)) fields.add(key);
  return {
    definition,
    screen,
    data,
    fields,
    degradations: (code, under = '') =>
      screen.degradations.filter(
        (degradation) => degradation.code === code && isUnder(degradation.path, under),
      ),
  };
}

function isUnder(path: string, parent: string): boolean {
  return path === parent || parent === '' || path.startsWith(`${parent}/`);
}
