import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Milliseconds between two looks of the system at the event loop. */
const resolution = 20;

/** Milliseconds for which the longest delay is kept apart: what is told is of one or two such spans. */
const span = 2_500;

/** Follows how late the event loop comes to what is due. */
export interface EventLoopLag {
  /** The longest delay of the last five seconds, in seconds. */
  longest(): number;
  stop(): void;
}

export function followEventLoop(): EventLoopLag {
  const delays = monitorEventLoopDelay({ resolution });
  // It records the time from look to look; what is longer than meant is the delay.
  const longestNow = () => Math.max(0, delays.max / 1e9 - resolution / 1000);
  let before = 0;
  delays.enable();
  const timer = setInterval(() => {
    before = longestNow();
    delays.reset();
  }, span);
  timer.unref();
  return {
    longest: () => Math.max(before, longestNow()),
    stop() {
      clearInterval(timer);
      delays.disable();
    },
  };
}
