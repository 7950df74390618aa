import type { StateName, StateRecords, StateStore } from '../../src/base/state.js';

/** Returns a store that keeps facts in memory and acts as one storage for several processes. */
export function createMemoryState(): StateStore & { readonly facts: Partial<StateRecords> } {
  const facts: Partial<Record<StateName, object>> = {};
  const typed = <Name extends StateName>(name: Name) =>
    facts[name] as StateRecords[Name] | undefined; // It was stored under this name.
  return {
    facts: facts as Partial<StateRecords>,
    find: async (name) => typed(name),
    async change(name, change) {
      const next = change(typed(name));
      if (next) facts[name] = next;
      return typed(name);
    },
  };
}
