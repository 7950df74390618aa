/** A requested value, and the time of its acknowledgement. */
interface Fact {
  /** Undefined if the request removes the item. */
  readonly value?: string | undefined;
  readonly sent: number;
  /** Null until the request is acknowledged. */
  acknowledged: number | null;
}

/** Records requests to a service and their acknowledgements, which must survive a power cut. */
export interface Book {
  /**
   * Records the requested value of an item, performs the request, and records its acknowledgement. Writes to the same
   * name must be sequential.
   */
  write<Result>(name: string, value: unknown, work: () => Promise<Result>): Promise<Result>;
  /** Records that the value of the latest write was shown, which is equivalent to an acknowledgement. */
  see(name: string): void;
  /** Records the ID of an item, which must never change. */
  give(kind: string, id: string | number, name: string): void;
  /** Returns the names of all items that were requested before a time. */
  names(at: number): string[];
  isPromised(name: string, at: number): boolean;
  /** Returns the values that an item may have after a power cut; undefined means that it may be missing. */
  allowed(name: string, at: number): readonly (string | undefined)[];
  given(at: number): readonly Given[];
  moments(): number[];
  /** The content of the book, from which another book can be created. */
  readonly pages: BookPages;
}

export interface BookPages {
  readonly facts: readonly (readonly [string, readonly Fact[]])[];
  readonly ids: readonly Given[];
}

export interface Given {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly at: number;
}

/** Returns the current time of the clock that the traces use, in nanoseconds. */
export const stamp = () => Number(process.hrtime.bigint());

export function createBook(pages: BookPages = { facts: [], ids: [] }): Book {
  const facts = new Map(pages.facts.map(([name, all]) => [name, [...all]]));
  const ids = [...pages.ids];
  const isBy = ({ acknowledged }: Fact, at: number) => acknowledged !== null && acknowledged <= at;
  const acknowledge = (fact: Fact | undefined) => {
    if (fact) fact.acknowledged ??= stamp();
  };
  const begunBy = (name: string, at: number) =>
    (facts.get(name) ?? []).filter(({ sent }) => sent < at);
  return {
    async write(name, value, work) {
      const fact: Fact = {
        value: value === undefined ? undefined : JSON.stringify(value),
        sent: stamp(),
        acknowledged: null,
      };
      facts.set(name, [...(facts.get(name) ?? []), fact]);
      const result = await work();
      acknowledge(fact);
      return result;
    },
    see: (name) => acknowledge(facts.get(name)?.at(-1)),
    give: (kind, id, name) => void ids.push({ kind, id: String(id), name, at: stamp() }),
    names: (at) => [...facts.keys()].filter((name) => begunBy(name, at).length > 0),
    isPromised: (name, at) => begunBy(name, at).some((fact) => isBy(fact, at)),
    allowed(name, at) {
      const begun = begunBy(name, at);
      const promised = begun.findLastIndex((fact) => isBy(fact, at));
      const values = begun.slice(Math.max(promised, 0)).map(({ value }) => value);
      return promised < 0 ? [undefined, ...values] : values;
    },
    given: (at) => ids.filter((each) => each.at <= at),
    moments: () => [...facts.values()].flat().flatMap(({ acknowledged }) => acknowledged ?? []),
    get pages() {
      return { facts: [...facts], ids };
    },
  };
}

/** Returns the pages as they were at a time. */
export function pagesUntil({ facts, ids }: BookPages, at: number): BookPages {
  const begun = facts.map(([name, all]) => {
    const before = all.filter(({ sent }) => sent < at);
    const known = before.map((fact) => {
      const { acknowledged } = fact;
      const isKnown = acknowledged !== null && acknowledged <= at;
      return { ...fact, acknowledged: isKnown ? acknowledged : null };
    });
    return [name, known] as const;
  });
  return {
    facts: begun.filter(([, all]) => all.length > 0),
    ids: ids.filter((each) => each.at <= at),
  };
}

/** The values and IDs that were found, by name. */
export interface Found {
  readonly values: ReadonlyMap<string, string>;
  readonly ids: ReadonlyMap<string, string>;
}

/** Returns all lost, duplicated, torn and unexpected values in the state after a power cut. */
export function judge(book: Book, at: number, { values, ids }: Found): string[] {
  const faults: string[] = [];
  const names = new Set(book.names(at));
  for (const name of names) {
    const allowed = book.allowed(name, at);
    const value = values.get(name);
    if (allowed.includes(value)) continue;
    const promised = book.isPromised(name, at) ? 'acknowledged' : 'requested';
    faults.push(
      `${name}: found ${short(value)} instead of the ${promised} ${allowed.map(short).join(' or ')}`,
    );
  }
  for (const name of values.keys()) {
    if (!names.has(name)) faults.push(`${name}: found, but never requested`);
  }
  for (const { kind, id, name } of book.given(at)) {
    const found = ids.get(`${kind} ${name}`);
    if (found !== undefined && found !== id) {
      faults.push(`${name}: has the ${kind} ID ${found} instead of the acknowledged ${id}`);
    }
  }
  return faults;
}

const short = (value: string | undefined) =>
  value === undefined ? 'nothing' : value.length > 100 ? `${value.slice(0, 100)}…` : value;
