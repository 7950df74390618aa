import type { TableRowDefinition } from '#screen-definition';
import { isObject } from '../../json/pointers.js';
import { type AcceptedFindings, isAccepted } from '../check/accepted.js';
import type { Severity } from '../check/findings.js';
import type { AddProblem } from '../check/gather.js';
import { readDefinition } from '../definition/read.js';
import { normaliseDefinition } from '../normalise/normalise.js';
import { allRules } from './all-rules.js';
import type { Report, RowField, RuleContext } from './rule.js';

/** What a run changes in the rules; it can be handed to another thread. */
export interface LintOptions {
  /** Severities by rule id where they differ from the rule's own. */
  readonly severities?: Readonly<Record<string, Severity | 'off'>>;
  /** Findings that are known: they are neither shown nor counted. */
  readonly accepted?: AcceptedFindings;
  /** Findings that are described at most; 1,000 where nothing is said. */
  readonly most?: number;
}

/** Runs every rule that is not off over a parsed document. */
export function lint(
  data: unknown,
  { severities = {}, accepted }: LintOptions,
  add: AddProblem,
  file = '',
): void {
  if (!isObject(data)) return;
  const context = createContext(data);
  for (const { id: rule, severity: usual, check } of allRules) {
    const severity = severities[rule] ?? usual;
    if (severity === 'off') continue;
    const reporter =
      (atKey: boolean): Report =>
      (path, message, remedies) => {
        if (accepted && isAccepted(accepted, { rule, path, file })) return;
        add(severity, () => {
          const said = typeof message === 'string' ? message : message();
          return { rule, severity, path, message: said, atKey, ...remedies?.() };
        });
      };
    check(context, reporter(false), reporter(true));
  }
}

function createContext(data: unknown): RuleContext {
  const definition = readDefinition(data);
  const screen = normaliseDefinition(definition);
  return {
    definition,
    screen,
    data,
    rowFields: fieldsOf(definition.table?.rows ?? []),
    degradations: (code, under = '') =>
      screen.degradations.filter(
        (degradation) => degradation.code === code && isUnder(degradation.path, under),
      ),
  };
}

function fieldsOf(rows: readonly TableRowDefinition[]): ReadonlyMap<string, RowField> {
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
