import type {
  DataChange,
  DiskHistory,
  FoundFile,
  FoundFolder,
  Inode,
  NameChange,
  Slot,
  Version,
} from './disk-history.js';
import type { Random } from './random.js';

/**
 * A power cut at a time, with the choice of the changes that survive.
 *
 * The bytes of a file survive if an fsync or fdatasync that started after the write has ended, and a name survives if
 * an fsync of its folder has ended. Other bytes may or may not survive, in pages of 512 bytes (a sector, which disks
 * write atomically) or 4,096 bytes (a page of the system's cache), in any order. A lost page contains its old content
 * or zeros. The length may be that of any earlier time. Names may survive in the order of all changes (as in the
 * journals of ext4 and XFS), in the order of each folder, or in any order (as POSIX allows). See Pillai et al., "All
 * File Systems Are Not Created Equal", OSDI 2014, table 1.
 *
 * Every journaling file system keeps its names consistent, so a rename leaves exactly one of the two names, and
 * a removed folder was empty.
 */
export interface PowerCut {
  /** In nanoseconds of the trace's clock. */
  readonly at: number;
  readonly names: (typeof nameChoices)[number];
  readonly bytes: (typeof byteChoices)[number];
}

/** `cache`: all changes that programs could read; `sure`: only synced changes; the others are in between. */
export const nameChoices = ['cache', 'sure', 'in order', 'in order of folders', 'any'] as const;
/**
 * `begun`: all changes up to a write that is partial; numbers: the size of a page in bytes; `mixed`: a choice for each
 * file.
 */
export const byteChoices = ['cache', 'sure', 'begun', 512, 4096, 'mixed'] as const;

/** Returns the state after a power cut. The same random numbers produce the same state. */
export function cutPower(history: DiskHistory, cut: PowerCut, random: Random): FoundFolder {
  const chosen = chooseNames(history, cut, random);
  const files = new Map<Inode, FoundFile>();

  function fileOf(inode: Inode): FoundFile {
    const known = files.get(inode) ?? { bytes: chooseBytes(inode, cut, random) };
    files.set(inode, known);
    return known;
  }

  function folderOf(inode: Inode): FoundFolder {
    const folders = new Map<string, FoundFolder>();
    const found = new Map<string, FoundFile>();
    for (const [name, slot] of inode.slots) {
      const target = slot.versions[chosen.get(slot) ?? -1]?.target;
      if (target?.kind === 'folder') folders.set(name, folderOf(target));
      else if (target) found.set(name, fileOf(target));
    }
    return { folders, files: found };
  }

  return folderOf(history.root);
}

/** Returns the time before which all ended changes were certainly on disk. */
function sureUntil({ syncs }: Inode, at: number): number {
  let until = Number.NEGATIVE_INFINITY;
  for (const { begin, end } of syncs) if (end <= at) until = Math.max(until, begin);
  return until;
}

/** Returns the index of the version of each name; -1 for a name without one. */
function chooseNames(
  { inodes }: DiskHistory,
  { at, names }: PowerCut,
  random: Random,
): Map<Slot, number> {
  const chosen = new Map<Slot, number>();
  const lastEndedBy = ({ versions }: Slot, time: number) =>
    versions.findLastIndex(({ change }) => change.end <= time);
  const lastBegun = ({ versions }: Slot) =>
    versions.findLastIndex(({ change }) => change.begin < at);
  const folders = inodes
    .filter(({ kind }) => kind === 'folder')
    .map((folder) => ({ folder, until: sureUntil(folder, at) }));

  /** Returns a time after one of the changes that were not synced, or before all of them. */
  function someMoment(of: typeof folders): number {
    const unsure = of.flatMap(({ folder, until }) =>
      [...folder.slots.values()].flatMap(({ versions }) =>
        versions.flatMap(({ change: { end } }) => (end > until && end <= at ? end : [])),
      ),
    );
    return random.of([Number.NEGATIVE_INFINITY, ...unsure]);
  }

  const momentOfAll = names === 'in order' ? someMoment(folders) : at;
  for (const each of folders) {
    const momentOfFolder = names === 'in order of folders' ? someMoment([each]) : momentOfAll;
    for (const slot of each.folder.slots.values()) {
      const sure = lastEndedBy(slot, each.until);
      if (names === 'sure') chosen.set(slot, sure);
      else if (names === 'any') {
        const possible = Math.max(sure, lastBegun(slot)) - sure + 1;
        chosen.set(slot, sure + random.below(possible));
      } else chosen.set(slot, Math.max(sure, lastEndedBy(slot, momentOfFolder)));
    }
  }
  completeSteps(chosen, at);
  return chosen;
}

/** Completes renames, whose two names change together, and removed folders, which were empty. */
function completeSteps(chosen: Map<Slot, number>, at: number): void {
  const renames = new Set<NameChange>();
  const removals: { readonly version: Version; readonly folder: Inode }[] = [];
  for (const { versions } of chosen.keys()) {
    for (const version of versions) {
      if (version.change.begin >= at) continue;
      if (version.change.versions.length > 1) renames.add(version.change);
      const before = versions[version.index - 1]?.target;
      const isMoved = version.change.versions.some(({ target }) => target === before);
      if (before?.kind === 'folder' && !isMoved) removals.push({ version, folder: before });
    }
  }
  const isReached = ({ slot, index }: Version) => (chosen.get(slot) ?? -1) >= index;
  let isDone = false;

  function reach(version: Version | undefined): void {
    if (!version || isReached(version)) return;
    chosen.set(version.slot, version.index);
    isDone = false;
  }

  while (!isDone) {
    isDone = true;
    for (const { versions } of renames) if (versions.some(isReached)) versions.forEach(reach);
    for (const { version, folder } of removals) {
      if (!isReached(version)) continue;
      for (const { versions } of folder.slots.values()) reach(versions.at(-1));
    }
  }
}

function chooseBytes(inode: Inode, { at, bytes: choice }: PowerCut, random: Random): Uint8Array {
  const until = sureUntil(inode, at);
  const begun = inode.data.filter(({ begin }) => begin < at);
  const sure = begun.filter(({ end }) => end <= until);
  const unsure = begun.filter(({ end }) => end > until);
  const base = apply(new Uint8Array(), sure);
  const selected =
    choice === 'mixed' ? random.of(byteChoices.filter((each) => each !== 'mixed')) : choice;
  if (unsure.length === 0 || selected === 'sure') return base;
  const ended = unsure.filter(({ end }) => end <= at);
  if (selected === 'cache') return apply(base, ended);
  return selected === 'begun'
    ? upToSome(base, unsure, random)
    : torn(base, unsure, selected, random);
}

function apply(base: Uint8Array, changes: readonly DataChange[]): Uint8Array {
  const longest = Math.max(base.length, ...changes.map(endOf));
  const bytes = new Uint8Array(longest);
  bytes.set(base);
  let length = base.length;
  for (const { data, position } of changes) {
    if (data) {
      bytes.set(data, position);
      length = Math.max(length, position + data.length);
    } else {
      bytes.fill(0, position);
      length = position;
    }
  }
  return bytes.subarray(0, length);
}

const endOf = ({ data, position }: DataChange) => position + (data?.length ?? 0);

/** Applies all changes up to a random one, of which only the first pages survive. */
function upToSome(base: Uint8Array, changes: readonly DataChange[], random: Random): Uint8Array {
  const count = random.below(changes.length);
  const before = apply(base, changes.slice(0, count));
  const last = changes[count];
  if (!last?.data) return before;
  const page = random.of([512, 4096]);
  const { data, position } = last;
  const ends = pagesOf(position, position + data.length, page).map((each) => (each + 1) * page);
  const end = Math.min(random.of([position, ...ends]) - position, data.length);
  return apply(before, [{ ...last, data: data.subarray(0, end) }]);
}

function pagesOf(from: number, to: number, page: number): number[] {
  const first = Math.floor(from / page);
  return Array.from({ length: Math.max(0, Math.ceil(to / page) - first) }, (_, n) => first + n);
}

/** Mixes the pages and the lengths of several changes. */
function torn(
  base: Uint8Array,
  changes: readonly DataChange[],
  page: number,
  random: Random,
): Uint8Array {
  const longest = Math.max(base.length, ...changes.map(endOf));
  const bytes = new Uint8Array(longest);
  bytes.set(base);
  const reached = new Map<number, number>();
  // Few pages are missing, few survive, or half of them do. Each case tests recovery differently.
  const share = random.of([0.02, 0.5, 0.98]);
  const reachedBy = (number: number) => {
    const known = reached.get(number);
    if (known !== undefined) return known;
    const all = changes.length - 1;
    const some = random.next() < share ? all : -1;
    const last = random.next() < 0.8 ? some : random.below(all + 2) - 1;
    reached.set(number, last);
    return last;
  };
  const lengths = [base.length];
  let length = base.length;
  changes.forEach(({ data, position }, index) => {
    const end = data ? position + data.length : longest;
    for (const number of pagesOf(position, end, page)) {
      if (reachedBy(number) < index) continue;
      const from = Math.max(position, number * page);
      const to = Math.min(end, (number + 1) * page);
      if (data) bytes.set(data.subarray(from - position, to - position), from);
      else bytes.fill(0, from, to);
    }
    const next = data ? Math.max(length, end) : position;
    // The system also extends a file page by page.
    for (const number of pagesOf(length, next, page)) {
      if ((number + 1) * page < next) lengths.push((number + 1) * page);
    }
    length = next;
    lengths.push(next);
  });
  return bytes.subarray(0, random.of([length, random.of(lengths)]));
}
