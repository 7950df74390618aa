/** @typedef {import('/modules/pay/server.js').Server} Server */
/** @typedef {import('/modules/pay/server.js').Drawn} Drawn */

/** Answers that come sooner than this are no waits, milliseconds. */
const soon = 1000;

/**
 * Asks for an order until it is over, and has it drawn whenever its status has changed. Resolves then, or when the
 * signal is aborted; never rejects. `wake` is called by whoever knows that a try is worth it now.
 *
 * @param {{ id: string, status: string, isDrawn: boolean }} start as it is shown
 * @param {{ server: Server, signal: AbortSignal, onDrawn(drawn: Drawn): void, onLost(isLost: boolean): void, onGone(): void }} options
 */
export function followOrder({ id, status, isDrawn }, { server, signal, onDrawn, onLost, onGone }) {
  let attempt = new AbortController();
  let failures = 0;
  let quick = 0;

  async function next() {
    const started = performance.now();
    const order = isDrawn ? await within((inner) => server.wait(id, inner)) : undefined;
    if (order?.status === status) {
      quick = performance.now() - started < soon ? quick + 1 : 0;
    } else await draw();
    failures = 0;
    onLost(false);
    if (quick > 0 && isOpen()) await server.pause(undefined, quick + 1, signal);
  }

  async function draw() {
    const drawn = await within((inner) => server.draw(id, inner));
    status = drawn.section.dataset.status ?? '';
    isDrawn = hasAll(drawn.section);
    quick = isDrawn ? 0 : quick + 1;
    onDrawn(drawn);
  }

  /**
   * @template T
   * @param {(signal: AbortSignal) => Promise<T>} work
   */
  async function within(work) {
    attempt = new AbortController();
    const { signal: inner } = attempt;
    const stop = () => attempt.abort();
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    try {
      return await work(inner);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  const isOpen = () => !signal.aborted && (status === 'pending' || status === 'unknown');

  async function follow() {
    while (isOpen()) {
      try {
        await next();
      } catch (error) {
        // Woken: the next try comes at once.
        if (attempt.signal.aborted) continue;
        if (error.status === 404) return onGone();
        failures += 1;
        onLost(true);
        await server.pause(error, failures, signal);
      }
    }
  }

  return {
    done: follow(),
    wake() {
      attempt.abort();
      server.wake();
    },
  };
}

/**
 * Whether nothing is missing in what was drawn: a code may come later than its order.
 *
 * @param {HTMLElement} section
 */
export function hasAll(section) {
  const { status } = section.dataset;
  return status !== 'preparing' && (status !== 'pending' || section.querySelector('img') !== null);
}
