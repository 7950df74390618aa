import { type Member, membersAt, skipSpace, skipValue } from '../../json/find-in-text.js';
import { parsePointer } from '../../json/pointers.js';
import type { Edit } from '../findings/finding.js';

/** A range of a text, in UTF-16 units, and its replacement. */
export interface TextEdit {
  readonly offset: number;
  readonly length: number;
  readonly replacement: string;
}

/**
 * Converts edits of a definition to ordered text edits. Returns undefined if they cannot be applied: two edits
 * conflict, a path does not exist or contains a duplicate key, or a new name is taken. The text must be valid JSON,
 * optionally after a byte order mark.
 */
export function textEdits(text: string, edits: readonly Edit[]): readonly TextEdit[] | undefined {
  const plan = openEditPlan();
  return edits.every((edit) => plan.add([edit])) ? plannedTextEdits(text, plan) : undefined;
}

/** Converts planned edits to ordered text edits. Returns undefined if they cannot be applied. */
export function plannedTextEdits(text: string, { root }: EditPlan): TextEdit[] | undefined {
  const found: TextEdit[] = [];
  const start = skipSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  return editInside(text, start, root, found)
    ? found.sort((a, b) => a.offset - b.offset)
    : undefined;
}

/** Applies ordered text edits to a text. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let copied = 0;
  for (const { offset, length, replacement } of edits) {
    parts.push(text.slice(copied, offset), replacement);
    copied = offset + length;
  }
  return parts.join('') + text.slice(copied);
}

/** Adds the text edits inside the value at offset `at`. Returns false if they cannot be applied. */
function editInside(text: string, at: number, change: PlannedChange, found: TextEdit[]): boolean {
  if (change.children.size === 0) return true;
  const members = [...membersAt(text, at)];
  const steps = [...change.children.keys()];
  const byStep = uniqueMembers(members);
  if (!steps.every((step) => byStep.get(step))) return false;
  if (!hasRoomFor(change, byStep)) return false;
  for (const [step, inner] of change.children) {
    const member = byStep.get(step);
    if (!member || !editMember(text, member, inner, found)) return false;
  }
  found.push(...removals(text, at, members, ({ step }) => isRemoved(change.children.get(step))));
  return true;
}

/** Returns the members by name. Duplicates, which cannot be edited, are undefined. */
function uniqueMembers(members: readonly Member[]): ReadonlyMap<string, Member | undefined> {
  const found = new Map<string, Member | undefined>();
  for (const member of members) {
    found.set(member.step, found.has(member.step) ? undefined : member);
  }
  return found;
}

/** Returns true if all new names are free or become free. */
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
 * Returns the edits that remove members. Each member is removed with the comma before it, so that the next line keeps
 * its indentation. Leading members are removed with the comma after them.
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

/** The changes to a value and to the values inside it. */
interface PlannedChange {
  readonly children: Map<string, PlannedChange>;
  /** New names of the value's properties. */
  readonly newNames: Set<string>;
  /** New name of the property with this value. */
  rename?: string;
  /** The new value as JSON, which is undefined if the value is removed. */
  value?: { readonly json: string | undefined };
}

/** Compatible edits of a document. */
interface EditPlan {
  readonly root: PlannedChange;
  /** Adds the edits and returns true. If they conflict, adds none and returns false. */
  add(edits: readonly Edit[]): boolean;
}

/** Creates an empty plan. */
export function openEditPlan(): EditPlan {
  const root = emptyChange();
  return {
    root,
    add(edits) {
      if (!edits.every((edit) => fits(root, edit))) return false;
      if (edits.length > 1 && !areCompatible(edits)) return false;
      for (const edit of edits) put(root, edit);
      return true;
    },
  };
}

/** Returns true if the edits of one fix are compatible. */
function areCompatible(edits: readonly Edit[]): boolean {
  const plan = openEditPlan();
  return edits.every((edit) => plan.add([edit]));
}

function emptyChange(): PlannedChange {
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
  // The root cannot be edited.
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
    change = parent.children.get(step) ?? emptyChange();
    parent.children.set(step, change);
  }
  if (edit.kind !== 'rename') change.value = { json: jsonOf(edit) };
  else {
    change.rename = edit.to;
    parent.newNames.add(edit.to);
  }
}
