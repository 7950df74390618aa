import {
  type Clock as ClockFact,
  type Instance,
  Clock as isClock,
  Instance as isInstance,
  Reconciled as isReconciled,
  Reconciliation as isReconciliation,
  State as isState,
  type Reconciled,
  type Reconciliation,
} from '#validators/state-records';
import { checkBy, compareTexts, type RecordCheck, type RecordKind, rising } from './records.js';

/** Facts that outlive every process, each under its own name, and what each says. */
export interface StateRecords {
  /** Tells this deployment from any other one. */
  readonly instance: Instance;
  /** How long this deployment has run. */
  readonly clock: ClockFact;
  /** Which days are compared with the provider, and how many were not yet. */
  readonly reconciliation: Reconciliation;
  /** Which days of an organization were compared. */
  readonly [reconciled: `reconciled-${number}`]: Reconciled;
}

export type StateName = keyof StateRecords;

/** Where such facts are kept, shared by every process of a deployment. Whatever resolves is durable. */
export interface StateStore {
  /** Returns the fact, or undefined where it was never stored. `data_damaged` where it cannot be read. */
  find<Name extends StateName>(name: Name): Promise<StateRecords[Name] | undefined>;
  /**
   * Stores what `change` makes of the fact, or leaves it where `change` returns undefined; no other process changes it
   * meanwhile. `change` may be called more than once. Returns the fact as it is stored afterwards.
   */
  change<Name extends StateName>(
    name: Name,
    change: (before: StateRecords[Name] | undefined) => StateRecords[Name] | undefined,
  ): Promise<StateRecords[Name] | undefined>;
}

/** A fact with its name: a record of an export. */
export interface NamedFact {
  readonly name: string;
  readonly record: object;
}

/** What is wrong with the record under a name, in words that follow the name; undefined where it is sound. */
export function faultOfState(name: string, record: object): string | undefined {
  const check = /^reconciled-/.test(name) ? checkBy(isReconciled) : checks.get(name);
  return check ? check(record) : 'is not the name of a fact that this version knows';
}

const checks: ReadonlyMap<string, RecordCheck> = new Map<string, RecordCheck>([
  ['instance', checkBy(isInstance)],
  ['clock', checkBy(isClock)],
  ['reconciliation', checkBy(isReconciliation)],
]);

/** Throws where a record must not be stored under a name: nobody could read it. */
export function assertState(name: string, record: object): void {
  const fault = faultOfState(name, record);
  if (fault !== undefined) throw new Error(`The fact ${name} ${fault}.`);
}

/** What facts put into an export. */
export function stateKinds(): readonly RecordKind[] {
  const faultOf = ({ name, record }: NamedFact) => {
    const fault = faultOfState(name, record);
    return fault === undefined ? undefined : `${name}: ${fault}`;
  };
  const compare = (a: NamedFact, b: NamedFact) => compareTexts(a.name, b.name);
  return [{ name: 'state', check: checkBy(isState, faultOf, rising(compare)) }];
}
