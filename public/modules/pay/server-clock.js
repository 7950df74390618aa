/** Milliseconds by which the time in the header of an answer is less exact than that in a page. */
const inexactness = 2000;

/**
 * The server's time: the clock of a visitor may be wrong by hours.
 *
 * @param {() => number} monotonic milliseconds that only go forward
 */
export function createServerClock(monotonic = () => performance.now()) {
  /** @type {number | undefined} */
  let ahead;
  /** @param {number} time milliseconds since the epoch */
  const learn = (time) => {
    if (Number.isFinite(time)) ahead = time - monotonic();
  };
  const now = () => (ahead === undefined ? Number.NaN : ahead + monotonic());
  return {
    learn,
    /**
     * From the `Date` header, which has whole seconds: nothing new where it is about what is known.
     *
     * @param {number} time
     */
    learnSecond(time) {
      if (!(Math.abs(time - now()) < inexactness)) learn(time);
    },
    /** Milliseconds since the epoch; NaN before anything was learned. */
    now,
  };
}
