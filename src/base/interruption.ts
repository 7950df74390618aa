/** What comes of the work, or undefined as soon as the signal aborts: nobody waits for the rest. */
export async function untilInterrupted<T>(
  signal: AbortSignal,
  work: Promise<T>,
): Promise<T | undefined> {
  let stop = (): void => {};
  const interrupted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([work, interrupted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
