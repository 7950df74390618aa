import type { Clock } from '../../base/clock.js';
import type { Environment } from '../../base/environment.js';
import { AppError } from '../../base/errors.js';
import { every } from '../../base/every.js';
import { fileMark } from '../../base/files/file-mark.js';
import { readInputFile } from '../../base/files/input-file.js';
import type { WebhookLog } from '../log.js';
import type { Subscription } from './subscription.js';
import { parseSubscriptions } from './subscription-file.js';

/** The subscriptions as they are now. */
export interface SubscriptionSource {
  current(): readonly Subscription[];
  /** Reads the file anew if it has changed, and takes over what has changed unless it is faulty. */
  refresh(): Promise<void>;
  /** Does so every second until `signal` aborts. */
  watch(signal: AbortSignal): Promise<void>;
}

export interface SubscriptionSourceOptions {
  readonly file: string;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly log: WebhookLog;
}

const refreshEveryMs = 1_000;
/** Room for 1,000 subscriptions with long addresses, in bytes. */
const largestFile = 1024 * 1024;

/**
 * Reads webhooks.json; where there is none, there are no subscriptions. Throws a `configuration` error
 * where it is faulty, or `unreadable_input` where it cannot be read.
 */
export async function openSubscriptions(
  options: SubscriptionSourceOptions,
): Promise<SubscriptionSource> {
  const { file, environment, clock, log } = options;
  let seen = await fileMark(file);
  let subscriptions = isMissing(seen) ? [] : await load();
  let missing = false;

  async function load(): Promise<Subscription[]> {
    return parseSubscriptions({ file, text: readText(file), environment });
  }

  async function takeOver(mark: string): Promise<void> {
    seen = mark;
    try {
      subscriptions = isMissing(mark) ? [] : await load();
      log.info({ file, subscriptions: subscriptions.length }, 'Webhook subscriptions re-read.');
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { message, details } = error;
      log.error({ file, details }, `${message} The subscriptions read before stay in force.`);
    }
  }

  async function refresh(): Promise<void> {
    const mark = await fileMark(file);
    if (mark === seen) {
      missing = false;
      return;
    }
    // Editors save by removing and creating: a file counts as gone when it is missing twice.
    if (isMissing(mark) && !missing) {
      missing = true;
      return;
    }
    missing = false;
    await takeOver(mark);
  }

  return {
    current: () => subscriptions,
    refresh,
    watch: (signal) => every(refreshEveryMs, refresh, { clock, signal, sleepFirst: true }),
  };
}

function readText(file: string): string {
  const hint = 'Make it a file that this user may read, or name another one with --webhooks.';
  return readInputFile(file, { mostBytes: largestFile, hint }).toString('utf8');
}

function isMissing(mark: string): boolean {
  return mark === 'ENOENT' || mark === 'ENOTDIR';
}
