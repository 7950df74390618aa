import type { ScreenDefinition, TableRowDefinition } from '#screen-definition';
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

/** What a run changes in the rules; it can be handed to another thread. */
export interface LintOptions {
  /** Severities by rule id where they differ from the rule's own. */
  readonly severities?: Readonly<Record<string, Severity | 'off'>>;
  /** Findings that are known: they are neither shown nor counted. */
  readonly accepted?: AcceptedFindings;
  /** Findings that are described at most; 1,000 where nothing is said. */
  readonly most?: number;
  /** Says of each finding that is shown by what it is known again. */
  readonly identify?: boolean;
  /** Takes down where the time goes. */
  readonly timed?: boolean;
  /** False leaves out the remedies that a person has to choose from. */
  readonly suggestions?: boolean;
}

/** What is known of a document beside its data. */
export interface LintSubject {
  /** What accepted findings are known by. */
  readonly file?: string;
  /** As it is written; rules that look at everything spare themselves the data of one that has nothing for them. */
  readonly text?: string;
  /** Runs the check of a rule, and takes down how long that takes. */
  readonly measure?: ((rule: string, check: () => void) => void) | undefined;
  /** Whether it is known to keep to the contract. */
  readonly isValid?: boolean;
}

/**
 * Runs every rule that is not off over a parsed document. Gives the accepted findings that were there;
 * undefined where none were looked for.
 */
export function lint(
  data: unknown,
  { severities = {}, accepted }: LintOptions,
  add: AddProblem,
  { file = '', text, measure, isValid }: LintSubject = {},
): FileAcceptance['used'] | undefined {
  if (!isObject(data)) return undefined;
  const context = createContext(data, text, isValid);
  const acceptance = openAcceptance(accepted, file, data);
  // A rule reports while it checks: two reporters serve all rules, instead of two being made for each.
  let running: RunningRule;
  const reporter =
    (atKey: boolean): Report =>
    (path, message, remedies) => {
      const { rule, severity } = running;
      const { id } = rule;
      const about = rule.about && (() => rule.about?.(path, data));
      if (acceptance?.accepts({ rule: id, path, atKey, about })) return;
      const describe = (): Problem => {
        const said = typeof message === 'string' ? message : message();
        return {
          ...{ rule: id, severity, path, message: said, atKey, about: about?.() },
          ...remedies?.(),
        };
      };
      const isFixable = () => remedies?.().fix !== undefined;
      add(severity, describe, { rule: id, isFixable });
    };
  const [report, reportKey] = [reporter(false), reporter(true)];
  for (const next of rulesOf(severities)) {
    const { rule } = next;
    running = next;
    if (measure === undefined) rule.check(context, report, reportKey);
    else measure(rule.id, () => rule.check(context, report, reportKey));
  }
  return acceptance?.used;
}

/** A rule that is not off, and as what its findings count. */
interface RunningRule {
  readonly rule: Rule;
  readonly severity: Severity;
}

/** Returns the rules that are not off, with what their findings count as. */
function rulesOf(severities: NonNullable<LintOptions['severities']>): readonly RunningRule[] {
  return allRules.flatMap((rule) => {
    const severity = severities[rule.id] ?? rule.severity;
    return severity === 'off' ? [] : { rule, severity };
  });
}

function createContext(data: unknown, text: string | undefined, isValid = false): RuleContext {
  // The reader leaves out what is of the wrong kind: a valid document has nothing of it.
  const definition = isValid ? (data as ScreenDefinition) : readDefinition(data);
  const screen = normaliseDefinition(definition);
  return {
    definition,
    screen,
    data,
    text,
    rowFields: fieldsOf(definition.table?.rows ?? []),
    degradations: (code, under = '') =>
      screen.degradations.length === 0
        ? screen.degradations
        : screen.degradations.filter(
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
