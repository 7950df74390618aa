import type { Middleware } from 'koa';

/**
 * Sends the answers that become ready in one turn of the event loop one right after the other. Sent as
 * they come, each one wakes a client that waits again by the time of the next, and waking costs
 * more than answering: under load, a request took 1.6 times the processor time.
 */
export function answerTogether(): Middleware {
  let turn: Promise<void> | undefined;

  /** Resolves when the present turn ends, at the same moment for all who wait for it. */
  function endOfTurn(): Promise<void> {
    turn ??= new Promise((resolve) => {
      setImmediate(() => {
        turn = undefined;
        resolve();
      });
    });
    return turn;
  }

  return async function waitForOthers(_ctx, next) {
    await next();
    await endOfTurn();
  };
}
