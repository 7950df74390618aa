/** Resolves after `milliseconds` or as soon as the signal is aborted. Never rejects. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

export const sleep: Sleep = (milliseconds, signal) =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    if (signal?.aborted) done();
    signal?.addEventListener('abort', done);
  });
