/** What has to be closed, or files stay open. */
export interface Closable {
  close(): Promise<void>;
}

/**
 * Opens what consists of several parts: `open` hands each part that it has opened to `keep`, and when it
 * fails, these are closed, so that no file stays open.
 */
export async function closeOnFailure<Result>(
  open: (keep: <Part extends Closable>(part: Part) => Part) => Promise<Result>,
): Promise<Result> {
  const kept: Closable[] = [];
  try {
    return await open((part) => {
      kept.push(part);
      return part;
    });
  } catch (error) {
    // Why it could not be opened is what counts.
    await Promise.allSettled(kept.map((part) => part.close()));
    throw error;
  }
}

/** Closes all of them, each in its turn, also when one fails; then throws what failed first. */
export async function closeAll(parts: readonly Closable[]): Promise<void> {
  const failures: unknown[] = [];
  for (const part of parts) await part.close().catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
