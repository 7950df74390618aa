/**
 * Gives the set of what is called when something ends, with one listener on it however many are in the
 * set: adding a listener to a signal that has thousands takes as long as visiting each of them.
 */
export function shareListener<Source extends object>(
  listen: (source: Source, call: () => void) => void,
): (source: Source) => Set<() => void> {
  const bySource = new WeakMap<Source, Set<() => void>>();
  return (source) => {
    const known = bySource.get(source);
    if (known) return known;
    const made = new Set<() => void>();
    bySource.set(source, made);
    listen(source, () => {
      for (const call of [...made]) call();
    });
    return made;
  };
}
