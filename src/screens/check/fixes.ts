/**
 * A change of a definition, addressed in the document as it was checked: a property gets another name, a
 * property or an item goes, or a value is replaced. Nothing else of the file changes, its layout included.
 */
export type Edit =
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'replace'; readonly path: string; readonly value: unknown };

/** One way to mend a finding: all of its edits, or none. */
export interface Fix {
  /** What it does, as an editor offers it: `Rename "hnit" to "hint"`. */
  readonly title: string;
  readonly edits: readonly Edit[];
}

/** What can be done about a finding. */
export interface Remedies {
  /** The one right answer, where there is one: `--fix` makes it. */
  readonly fix?: Fix;
  /** Likely answers that a person has to choose from; where they take a search, as a function. */
  readonly suggestions?: readonly Fix[] | (() => readonly Fix[]);
}

/** The answers of `suggestions`. */
export function suggestionsOf({ suggestions = [] }: Remedies): readonly Fix[] {
  return typeof suggestions === 'function' ? suggestions() : suggestions;
}
