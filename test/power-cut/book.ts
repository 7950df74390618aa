/** What somebody wanted to be so, and since when it was promised that it is. */
interface Fact {
  /** Undefined where it is to be gone. */
  readonly value?: string | undefined;
  readonly sent: number;
  /** Null where nobody was told. */
  acknowledged: number | null;
}

/** What was asked of a service and what it acknowledged: all that it has to know after a power cut. */
export interface Book {
  /**
   * Notes that a thing is to have a value, does the work that asks for it, and notes that this was
   * acknowledged. Writes of one name follow each other.
   */
  write<Result>(name: string, value: unknown, work: () => Promise<Result>): Promise<Result>;
  /** Somebody was shown the value of the latest write: it counts as acknowledged. */
  see(name: string): void;
  /** An id that a thing was given; it never means another one. */
  give(kind: string, id: string | number, name: string): void;
  /** The names of everything that was asked for before a moment. */
  names(at: number): string[];
  isPromised(name: string, at: number): boolean;
  /** What a thing may be after a power cut at a moment; undefined = not there. */
  allowed(name: string, at: number): readonly (string | undefined)[];
  given(at: number): readonly Given[];
  moments(): number[];
  /** All of it, for another book to begin with. */
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

/** The clock of the traces: nanoseconds. */
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

/** The pages as they were at a moment. */
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

/** What was found: the value of each name, and the ids. */
export interface Found {
  readonly values: ReadonlyMap<string, string>;
  readonly ids: ReadonlyMap<string, string>;
}

/** What is lost, doubled, torn or invented in what was found after a power cut at a moment. */
export function judge(book: Book, at: number, { values, ids }: Found): string[] {
  const faults: string[] = [];
  const names = new Set(book.names(at));
  for (const name of names) {
    const allowed = book.allowed(name, at);
    const value = values.get(name);
    if (allowed.includes(value)) continue;
    const promised = book.isPromised(name, at) ? 'acknowledged' : 'asked for';
    faults.push(
      `${name}: found ${short(value)}, ${promised} was ${allowed.map(short).join(' or ')}`,
    );
  }
  for (const name of values.keys()) {
    if (!names.has(name)) faults.push(`${name}: found, and nobody ever asked for it`);
  }
  for (const { kind, id, name } of book.given(at)) {
    const found = ids.get(`${kind} ${name}`);
    if (found !== undefined && found !== id) {
      faults.push(`${name}: has the ${kind} id ${found}, acknowledged was ${id}`);
    }
  }
  return faults;
}

const short = (value: string | undefined) =>
  value === undefined ? 'nothing' : value.length > 100 ? `${value.slice(0, 100)}…` : value;
