import type { TableRowDefinition } from '#screen-definition';
import { isObject } from '../../json/pointers.js';
import { readDefinition } from '../definition/read.js';
import {
  type AcceptedFindings,
  type FileAcceptance,
  openAcceptance,
} from '../findings/accepted.js';
import type { Problem, Severity } from '../findings/finding.js';
import type { AddProblem } from '../findings/gather.js';
import { normaliseDefinition } from '../normalise/normalise.js';
import { allRules } from './all-rules.js';
import type { Report, RowField, Rule, RuleContext } from './rule.js';

/** The options of a run. They can be sent to a different thread. */
export interface LintOptions {
  /** Configured severities by rule ID, which override the defaults. */
  readonly severities?: Readonly<Record<string, Severity | 'off'>>;
  /** Accepted findings, which are neither shown nor counted. */
  readonly accepted?: AcceptedFindings;
  /** Maximum number of findings with a description. The default is 1,000. */
  readonly max?: number;
  /** If true, the duration of each step and rule is measured. */
  readonly timed?: boolean;
  /** If false, findings have no suggestions. */
  readonly suggestions?: boolean;
}

/** The context of a document. */
export interface LintSubject {
  /** The file name that accepted findings refer to. */
  readonly file?: string;
  /** The text of the document. A rule can use it to avoid traversing the data. */
  readonly text?: string;
  /** Runs a rule's check and records its duration. */
  readonly measure?: ((rule: string, check: () => void) => void) | undefined;
}

/**
 * Runs all enabled rules on a parsed document. Returns the number of accepted findings by entry key, or undefined if no
 * findings are accepted.
 */
export function lint(
  data: unknown,
  { severities = {}, accepted }: LintOptions,
  add: AddProblem,
  { file = '', text, measure = (_rule, check) => check() }: LintSubject = {},
): FileAcceptance['used'] | undefined {
  if (!isObject(data)) return undefined;
  const context = createContext(data, text);
  const acceptance = openAcceptance(accepted, file, data);
  const reporter =
    (rule: Rule, severity: Severity, atKey: boolean): Report =>
    (path, message, remedies) => {
      const { id } = rule;
      const about = rule.about && (() => rule.about?.(path, data));
      if (acceptance?.accepts({ rule: id, path, atKey, about })) return;
      const describe = (): Problem => {
        const text = typeof message === 'string' ? message : message();
        return {
          ...{ rule: id, severity, path, message: text, atKey, about: about?.() },
          ...remedies?.(),
        };
      };
      const isFixable = () => remedies?.().fix !== undefined;
      add(severity, describe, { rule: id, isFixable });
    };
  for (const rule of allRules) {
    const severity = severities[rule.id] ?? rule.severity;
    if (severity === 'off') continue;
    const [report, reportKey] = [reporter(rule, severity, false), reporter(rule, severity, true)];
    measure(rule.id, () => rule.check(context, report, reportKey));
  }
  return acceptance?.used;
}

function createContext(data: unknown, text: string | undefined): RuleContext {
  const definition = readDefinition(data);
  const screen = normaliseDefinition(definition);
  return {
    definition,
    screen,
    data,
    text,
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
    // Objects from JSON.parse have no inherited enumerable properties.
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
