/**
 * Calls `wake` when the network or the visitor is back, and `onOffline` when the network is gone. Returns a function
 * that stops it.
 */
export function onReturn(wake: () => void, onOffline: () => void): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const onVisible = () => document.visibilityState === 'visible' && wake();
  addEventListener('online', wake, { signal });
  addEventListener('offline', onOffline, { signal });
  addEventListener('pageshow', ({ persisted }) => persisted && wake(), { signal });
  document.addEventListener('visibilitychange', onVisible, { signal });
  return () => stop.abort();
}
