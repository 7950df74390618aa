import { parsePointer } from '../../json/pointers.js';
import type { Edit } from './fixes.js';

/** What happens to one value, and to what is in it. */
export interface PlannedChange {
  readonly children: Map<string, PlannedChange>;
  /** The names that properties in it get. */
  readonly newNames: Set<string>;
  /** Its new name. */
  rename?: string;
  /** Its end, or its new value as JSON. */
  value?: { readonly json: string | undefined };
}

/** Edits of one document that can be made together. */
export interface EditPlan {
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
