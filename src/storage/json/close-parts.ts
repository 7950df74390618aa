/** An object that keeps files open until it is closed. */
export interface Closable {
  close(): Promise<void>;
}

/**
 * Runs `open`, which passes each part that it opens to `keep`. If `open` fails, closes all of these parts, including
 * those that are still being opened.
 */
export async function closeOnFailure<Result>(
  open: (
    keep: <Part extends Closable>(part: Part | Promise<Part>) => Promise<Part>,
  ) => Promise<Result>,
): Promise<Result> {
  const kept: Promise<Closable>[] = [];
  try {
    return await open((part) => {
      const opening = Promise.resolve(part);
      kept.push(opening);
      return opening;
    });
  } catch (error) {
    // The original error is more useful than an error on closing.
    await Promise.allSettled(kept.map(async (opening) => (await opening).close()));
    throw error;
  }
}

/** Closes all parts in order, even if one fails; then throws the first failure. */
export async function closeAll(parts: readonly Closable[]): Promise<void> {
  const failures: unknown[] = [];
  for (const part of parts) await part.close().catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
