import { skipSpace } from '../../json/find-in-text.js';
import { type Member, type Members, membersAt, startOf } from '../../json/members.js';
import { type EditPlan, openEditPlan, type PlannedChange } from './edit-plan.js';
import type { Edit } from './fixes.js';

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
  const inside = membersAt(text, at);
  if (inside === undefined) return false;
  const wanted = [...change.children.keys()];
  const byStep = onlyOnes(inside.members);
  if (!wanted.every((step) => byStep.get(step))) return false;
  if (!hasRoomFor(change, byStep)) return false;
  for (const [step, inner] of change.children) {
    const member = byStep.get(step);
    if (!member || !editMember(text, member, inner, found)) return false;
  }
  found.push(...removals(inside, ({ step }) => isRemoved(change.children.get(step))));
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

function isRemoved(change: PlannedChange | undefined): boolean {
  return change?.value !== undefined && change.value.json === undefined;
}

function editMember(
  text: string,
  { name, at, end }: Member,
  change: PlannedChange,
  found: TextEdit[],
): boolean {
  if (change.rename !== undefined) {
    if (name === undefined) return false;
    found.push({ ...name, replacement: JSON.stringify(change.rename) });
  }
  const json = change.value?.json;
  if (json !== undefined) found.push({ offset: at, length: end - at, replacement: json });
  return editInside(text, at, change, found);
}

/**
 * Takes members out with one comma each: with the one before it, so that what follows keeps its line; the
 * first ones with the one behind them.
 */
function removals(
  { members, from, to }: Members,
  isRemoved: (member: Member) => boolean,
): TextEdit[] {
  const kept = members.findIndex((member) => !isRemoved(member));
  const firstKept = members[kept];
  if (firstKept === undefined) return [removal(from, to)];
  const found = kept > 0 ? [removal(startOf(members[0] ?? firstKept), startOf(firstKept))] : [];
  for (const [index, member] of members.entries()) {
    const before = members[index - 1];
    if (index > kept && before && isRemoved(member)) found.push(removal(before.end, member.end));
  }
  return found;
}

function removal(from: number, to: number): TextEdit {
  return { offset: from, length: to - from, replacement: '' };
}
