import { CallError } from '../../shared/failure.js';
import type { Drawn, Server } from './server.js';

/** Milliseconds; an answer that arrives sooner was not held by the server. */
const soon = 1000;

interface FollowOptions {
  readonly id: string;
  /** The status that is shown. */
  readonly status: string;
  readonly isDrawn: boolean;
  readonly server: Server;
  readonly signal: AbortSignal;
  onDrawn(drawn: Drawn): void;
  onLost(isLost: boolean): void;
  onGone(): void;
}

/**
 * Polls an order until it has ended, and draws it whenever its status changes. `done` then resolves, as it does when
 * the signal is aborted; it never rejects. `wake` starts the next attempt at once.
 */
export function followOrder(options: FollowOptions) {
  const { id, server, signal, onDrawn, onLost, onGone } = options;
  let { status, isDrawn } = options;
  let attempt = new AbortController();
  let failures = 0;
  let quick = 0;

  async function next(): Promise<void> {
    const started = performance.now();
    const order = isDrawn ? await within((inner) => server.wait(id, inner)) : undefined;
    if (order?.status === status) {
      quick = performance.now() - started < soon ? quick + 1 : 0;
    } else await draw();
    failures = 0;
    onLost(false);
    if (quick > 0 && isOpen()) await server.pause(undefined, quick + 1, signal);
  }

  async function draw(): Promise<void> {
    const drawn = await within((inner) => server.draw(id, inner));
    status = drawn.section.dataset.status ?? '';
    isDrawn = hasAll(drawn.section);
    quick = isDrawn ? 0 : quick + 1;
    onDrawn(drawn);
  }

  async function within<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
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

  async function follow(): Promise<void> {
    while (isOpen()) {
      try {
        await next();
      } catch (error) {
        // Woken: the next attempt starts at once.
        if (attempt.signal.aborted) continue;
        if (error instanceof CallError && error.status === 404) return onGone();
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

/** Returns true if the drawing is complete: a code may come later than its order. */
export function hasAll(section: HTMLElement): boolean {
  const { status } = section.dataset;
  return status !== 'preparing' && (status !== 'pending' || section.querySelector('img') !== null);
}
