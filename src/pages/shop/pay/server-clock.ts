/** Milliseconds by which the time in an answer's header is less exact than that in a page. */
const inexactness = 2000;

/** Tracks the server's time, because a visitor's clock may be wrong by hours. */
export function createServerClock() {
  let ahead: number | undefined;
  /** `time`: milliseconds since the epoch. */
  const learn = (time: number) => {
    if (Number.isFinite(time)) ahead = time - performance.now();
  };
  const now = () => (ahead === undefined ? Number.NaN : ahead + performance.now());
  return {
    learn,
    /** Learns from the `Date` header, which has whole seconds; ignored if it is close to the known time. */
    learnSecond(time: number) {
      if (!(Math.abs(time - now()) < inexactness)) learn(time);
    },
    /** Returns milliseconds since the epoch; NaN before anything was learned. */
    now,
  };
}
