import { type Member, membersAt, skipSpace, skipValue } from '../../json/find-in-text.js';
import { parsePointer } from '../../json/pointers.js';
import type { Edit } from '../findings/finding.js';

/** A part of a text, in UTF-16 units, and what takes its place. */
export interface TextEdit {
  readonly offset: number;
  readonly length: number;
  readonly replacement: string;
}

/**
 * What edits change in the text that they were made for, in its order; nothing else of it moves. Undefined
 * where they cannot be made: two of them contradict each other, a place is not there, an object names it
 * twice, or has the new name already. The text is JSON; a byte order mark before it stays.
 */
export function textEdits(text: string, edits: readonly Edit[]): readonly TextEdit[] | undefined {
  const plan = openEditPlan();
  return edits.every((edit) => plan.add([edit])) ? plannedTextEdits(text, plan) : undefined;
}

/** The same of edits that are known to go together. */
export function plannedTextEdits(text: string, { root }: EditPlan): TextEdit[] | undefined {
  const found: TextEdit[] = [];
  const start = skipSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  return editInside(text, start, root, found)
    ? found.sort((a, b) => a.offset - b.offset)
    : undefined;
}

/** The text after edits that `textEdits` gave for it. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let copied = 0;
  for (const { offset, length, replacement } of edits) {
    parts.push(text.slice(copied, offset), replacement);
    copied = offset + length;
  }
  return parts.join('') + text.slice(copied);
}

/** Edits what the value that begins here holds; false where that cannot be done. */
function editInside(text: string, at: number, change: PlannedChange, found: TextEdit[]): boolean {
  if (change.children.size === 0) return true;
  const members = [...membersAt(text, at)];
  const wanted = [...change.children.keys()];
  const byStep = onlyOnes(members);
  if (!wanted.every((step) => byStep.get(step))) return false;
  if (!hasRoomFor(change, byStep)) return false;
  for (const [step, inner] of change.children) {
    const member = byStep.get(step);
    if (!member || !editMember(text, member, inner, found)) return false;
  }
  found.push(...removals(text, at, members, ({ step }) => isRemoved(change.children.get(step))));
  return true;
}

/** Members by name; those that are named twice stand for nothing that could be edited. */
function onlyOnes(members: readonly Member[]): ReadonlyMap<string, Member | undefined> {
  const found = new Map<string, Member | undefined>();
  for (const member of members) {
    found.set(member.step, found.has(member.step) ? undefined : member);
  }
  return found;
}

/** New names must be free, or become free. */
function hasRoomFor(
  { children, newNames }: PlannedChange,
  members: ReadonlyMap<string, Member | undefined>,
): boolean {
  return [...newNames].every((name) => {
    const change = children.get(name);
    return !members.has(name) || isRemoved(change) || (change?.rename ?? name) !== name;
  });
}

function editMember(
  text: string,
  { name, at }: Member,
  change: PlannedChange,
  found: TextEdit[],
): boolean {
  if (change.rename !== undefined) {
    if (name === undefined) return false;
    found.push({ ...name, replacement: JSON.stringify(change.rename) });
  }
  const json = change.value?.json;
  if (json !== undefined) found.push({ ...removal(at, skipValue(text, at)), replacement: json });
  return editInside(text, at, change, found);
}

/**
 * Takes members out with one comma each: with the one before it, so that what follows keeps its line; the
 * first ones with the one behind them.
 */
function removals(
  text: string,
  open: number,
  members: readonly Member[],
  isRemoved: (member: Member) => boolean,
): TextEdit[] {
  const endOf = ({ at }: Member): number => skipValue(text, at);
  const startOf = ({ name, at }: Member): number => name?.offset ?? at;
  const kept = members.findIndex((member) => !isRemoved(member));
  const [first, last, firstKept] = [members[0], members.at(-1), members[kept]];
  if (!first || !last) return [];
  if (!firstKept) return [removal(open + 1, skipSpace(text, endOf(last)))];
  const found = kept > 0 ? [removal(startOf(first), startOf(firstKept))] : [];
  for (const [index, member] of members.entries()) {
    const before = members[index - 1];
    if (index > kept && before && isRemoved(member)) {
      found.push(removal(endOf(before), endOf(member)));
    }
  }
  return found;
}

function removal(from: number, to: number): TextEdit {
  return { offset: from, length: to - from, replacement: '' };
}

/** What happens to one value, and to what is in it. */
interface PlannedChange {
  readonly children: Map<string, PlannedChange>;
  /** The names that properties in it get. */
  readonly newNames: Set<string>;
  /** Its new name. */
  rename?: string;
  /** Its end, or its new value as JSON. */
  value?: { readonly json: string | undefined };
}

/** Edits of one document that can be made together. */
interface EditPlan {
  readonly root: PlannedChange;
  /** Takes all of the edits, or none where one of them changes what another one does: false then. */
  add(edits: readonly Edit[]): boolean;
}

/** Opens a plan without edits. */
export function openEditPlan(): EditPlan {
  const root = nothing();
  return {
    root,
    add(edits) {
      if (!edits.every((edit) => fits(root, edit))) return false;
      if (edits.length > 1 && !agree(edits)) return false;
      for (const edit of edits) put(root, edit);
      return true;
    },
  };
}

/** Whether the edits of one fix can be made together at all. */
function agree(edits: readonly Edit[]): boolean {
  const own = openEditPlan();
  return edits.every((edit) => own.add([edit]));
}

function nothing(): PlannedChange {
  return { children: new Map(), newNames: new Set() };
}

function fits(root: PlannedChange, edit: Edit): boolean {
  const steps = parsePointer(edit.path);
  let parent = root;
  for (const [index, step] of steps.entries()) {
    if (parent.value) return false;
    const child = parent.children.get(step);
    if (index === steps.length - 1) return fitsHere(parent, child, edit);
    if (child === undefined) return true;
    parent = child;
  }
  // The document itself is neither renamed nor removed, and a new one has no layout to keep.
  return false;
}

function fitsHere(parent: PlannedChange, known: PlannedChange | undefined, edit: Edit): boolean {
  if (edit.kind === 'rename') {
    if (known?.rename !== undefined) return known.rename === edit.to;
    return !isRemoved(known) && !parent.newNames.has(edit.to);
  }
  if (known === undefined) return true;
  if (known.value) return known.value.json === jsonOf(edit);
  return known.children.size === 0 && (edit.kind === 'replace' || known.rename === undefined);
}

function isRemoved(change: PlannedChange | undefined): boolean {
  return change?.value !== undefined && change.value.json === undefined;
}

function jsonOf(edit: Edit): string | undefined {
  return edit.kind === 'replace' ? JSON.stringify(edit.value) : undefined;
}

function put(root: PlannedChange, edit: Edit): void {
  let parent = root;
  let change = root;
  for (const step of parsePointer(edit.path)) {
    parent = change;
    change = parent.children.get(step) ?? nothing();
    parent.children.set(step, change);
  }
  if (edit.kind !== 'rename') change.value = { json: jsonOf(edit) };
  else {
    change.rename = edit.to;
    parent.newNames.add(edit.to);
  }
}
