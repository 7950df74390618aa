/**
 * Calls `act` repeatedly while the page is visible, and at once when it becomes visible again.
 * @param pause milliseconds between the end of one call and the next
 */
export function startPolling(act: () => Promise<unknown>, pause: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isActing = false;
  let isOver = false;

  const next = async () => {
    clearTimeout(timer);
    if (isActing || isOver || document.visibilityState === 'hidden') return;
    isActing = true;
    await act();
    isActing = false;
    if (!isOver) timer = setTimeout(next, pause);
  };
  timer = setTimeout(next, pause);
  document.addEventListener('visibilitychange', next);

  return () => {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', next);
  };
}
