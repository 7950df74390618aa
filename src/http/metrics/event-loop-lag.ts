import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Milliseconds between two looks of the system at the event loop. */
const resolution = 20;

/** Milliseconds from one beginning of a count to the next; what is told is of one or two such spans. */
const span = 2_500;

/** Follows how late the event loop comes to what is due. */
export interface EventLoopLag {
  /** The longest delay of the last five seconds, in seconds. */
  longest(): number;
  stop(): void;
}

export function followEventLoop(): EventLoopLag {
  // They take turns to begin anew: the one that does loses a delay that has just ended and is not recorded yet.
  const histograms = [monitorEventLoopDelay({ resolution }), monitorEventLoopDelay({ resolution })];
  for (const histogram of histograms) histogram.enable();
  const timer = setInterval(() => {
    const [oldest] = histograms;
    oldest?.reset();
    histograms.reverse();
  }, span);
  timer.unref();
  return {
    // They record the time from look to look; what is longer than meant is the delay.
    longest() {
      const longest = Math.max(...histograms.map(({ max }) => max));
      return Math.max(0, longest / 1e9 - resolution / 1000);
    },
    stop() {
      clearInterval(timer);
      for (const histogram of histograms) histogram.disable();
    },
  };
}
