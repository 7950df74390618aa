import {
  type Admins,
  type Clock as ClockFact,
  type Instance,
  Admins as isAdmins,
  Clock as isClock,
  Instance as isInstance,
  OrderNumbers as isOrderNumbers,
  Reconciled as isReconciled,
  Reconciliation as isReconciliation,
  State as isState,
  StoredCheckout as isStoredCheckout,
  type OrderNumbers,
  type Reconciled,
  type Reconciliation,
  type StoredCheckout,
} from '#validators/state-records';
import { checkBy, compareTexts, type RecordCheck, type RecordKind, rising } from './records.js';

/** The facts about a deployment, by name. */
export interface StateRecords {
  /** The unique ID of this deployment. */
  readonly instance: Instance;
  /** The running time of this deployment. */
  readonly clock: ClockFact;
  /** The admin users, and whether the admin page stays closed if there are none. */
  readonly admins: Admins;
  /** How orders are handed over, and what customers state. */
  readonly checkout: StoredCheckout;
  /** The number of the latest order. */
  readonly orders: OrderNumbers;
  /** The days that are compared with the provider, and how many are still to be compared. */
  readonly reconciliation: Reconciliation;
  /** The days of an organization that have been compared. */
  readonly [reconciled: `reconciled-${number}`]: Reconciled;
}

export type StateName = keyof StateRecords;

/** Stores facts for all processes of a deployment. A change is durable once its promise resolves. */
export interface StateStore {
  /** Returns a fact, or undefined if it was never stored. Throws `data_damaged` if it cannot be read. */
  find<Name extends StateName>(name: Name): Promise<StateRecords[Name] | undefined>;
  /**
   * Replaces a fact with the result of `change`, or leaves it unchanged if the result is undefined. No other process
   * can change it concurrently. `change` may be called more than once. Returns the resulting fact.
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

/** Returns the fault of a record, phrased to follow its name, or undefined if the record is valid. */
export function faultOfState(name: string, record: object): string | undefined {
  const check = /^reconciled-/.test(name) ? checkBy(isReconciled) : checks.get(name);
  return check ? check(record) : 'is not a fact that this version recognizes';
}

const checks: ReadonlyMap<string, RecordCheck> = new Map<string, RecordCheck>([
  ['admins', checkBy(isAdmins)],
  ['instance', checkBy(isInstance)],
  ['clock', checkBy(isClock)],
  ['checkout', checkBy(isStoredCheckout)],
  ['orders', checkBy(isOrderNumbers)],
  ['reconciliation', checkBy(isReconciliation)],
]);

/** Throws if a record is not valid for its name, because it could not be read back. */
export function assertState(name: string, record: object): void {
  const fault = faultOfState(name, record);
  if (fault !== undefined) throw new Error(`The fact ${name} ${fault}.`);
}

/** The kinds of records that facts add to an export. */
export function stateKinds(): readonly RecordKind[] {
  const faultOf = ({ name, record }: NamedFact) => {
    const fault = faultOfState(name, record);
    return fault === undefined ? undefined : `${name}: ${fault}`;
  };
  const compare = (a: NamedFact, b: NamedFact) => compareTexts(a.name, b.name);
  return [{ name: 'state', check: checkBy(isState, faultOf, rising(compare)) }];
}
