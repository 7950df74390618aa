import { type Fault, isAt, readFaults, writeFault } from './fault.js';
import type { FaultName } from './fault-list.js';

/** The faults of one call, or those of the sandbox. */
export interface ActiveFaults {
  has(name: FaultName): boolean;
  /** The fault's value, where it is in force. */
  valueOf(name: FaultName): string | undefined;
}

/** What a sandbox does wrong at present. */
export interface FaultsInForce extends ActiveFaults {
  /** Those that disturb a call to this path; each that has a count has one less then. */
  take(path: string): ActiveFaults;
  /** As people write them, with the counts that are left. */
  list(): readonly string[];
  /** Replaces them; throws a `usage` error for what is no fault. */
  set(texts: readonly string[]): void;
}

/** Throws a `usage` error for what is no fault. */
export function createFaultsInForce(texts: readonly string[]): FaultsInForce {
  let faults = readFaults(texts);
  return {
    ...activeFaults(() => faults),
    take(path) {
      const taken = faults.filter((fault) => isAt(fault, path));
      faults = faults
        .map((fault) => (taken.includes(fault) ? { ...fault, left: fault.left - 1 } : fault))
        .filter(({ left }) => left > 0);
      return activeFaults(() => taken);
    },
    list: () => faults.map(writeFault),
    set(next) {
      faults = readFaults(next);
    },
  };
}

/** Of several faults of a name, the first counts. */
function activeFaults(faults: () => readonly Fault[]): ActiveFaults {
  const find = (wanted: FaultName) => faults().find(({ name }) => name === wanted);
  return { has: (name) => find(name) !== undefined, valueOf: (name) => find(name)?.value };
}
