/** A finding that is known and accepted. Without a file it holds in every file. */
export interface Suppression {
  readonly rule: string;
  /** JSON Pointer; everything below it is meant too. Without one it holds everywhere. */
  readonly path?: string;
  /** As reported: relative to the folder of the configuration, with forward slashes. */
  readonly file?: string;
}

/** Accepted findings as keys, so that no finding is compared with every one of them. */
export type AcceptedFindings = ReadonlySet<string>;

/** Makes the keys, once for a run; they can be handed to other threads. */
export function acceptFindings(entries: readonly Suppression[]): AcceptedFindings {
  return new Set(entries.map(({ rule, path, file }) => keyOf(rule, file, path)));
}

/** Whether a finding is accepted: by its place or one around it, in its file or in all. */
export function isAccepted(
  accepted: AcceptedFindings,
  { rule, path, file }: Required<Suppression>,
): boolean {
  if (accepted.size === 0) return false;
  for (const wanted of [undefined, file]) {
    if (accepted.has(keyOf(rule, wanted, undefined))) return true;
    for (let end = path.length; end >= 0; end = end === 0 ? -1 : path.lastIndexOf('/', end - 1)) {
      if (accepted.has(keyOf(rule, wanted, path.slice(0, end)))) return true;
    }
  }
  return false;
}

/** File names cannot have a NUL, so that parts never run into each other. */
function keyOf(rule: string, file: string | undefined, path: string | undefined): string {
  return `${rule}\0${file ?? '*\0'}\0${path ?? '*'}`;
}
