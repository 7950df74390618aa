import { stat } from 'node:fs/promises';
import type { Clock } from '../../base/clock.js';
import type { Environment } from '../../base/environment.js';
import { AppError, systemErrorCode } from '../../base/errors.js';
import { every } from '../../base/every.js';
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

/** What tells one version of the file from the next; null where there is no file. */
type Stamp = string | null;

/**
 * Reads webhooks.json; where there is none, there are no subscriptions. Throws a `configuration` error
 * where it is faulty, or `unreadable_input` where it cannot be read.
 */
export async function openSubscriptions(
  options: SubscriptionSourceOptions,
): Promise<SubscriptionSource> {
  const { file, environment, clock, log } = options;
  let seen = await stampOf(file);
  let subscriptions = seen === null ? [] : await load();
  let missing = false;

  async function load(): Promise<Subscription[]> {
    return parseSubscriptions({ file, text: readText(file), environment });
  }

  async function takeOver(stamp: Stamp): Promise<void> {
    seen = stamp;
    try {
      subscriptions = stamp === null ? [] : await load();
      log.info({ file, subscriptions: subscriptions.length }, 'Webhook subscriptions re-read.');
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { message, details } = error;
      log.error({ file, details }, `${message} The subscriptions read before stay in force.`);
    }
  }

  async function refresh(): Promise<void> {
    const stamp = await stampOf(file);
    if (stamp === seen) {
      missing = false;
      return;
    }
    // Editors save by removing and creating: a file counts as gone when it is missing twice.
    if (stamp === null && !missing) {
      missing = true;
      return;
    }
    missing = false;
    await takeOver(stamp);
  }

  return {
    current: () => subscriptions,
    refresh,
    watch: (signal) => every(refreshEveryMs, refresh, { clock, signal, sleepFirst: true }),
  };
}

async function stampOf(file: string): Promise<Stamp> {
  try {
    const { mtimeNs, ctimeNs, size, ino } = await stat(file, { bigint: true });
    return [mtimeNs, ctimeNs, size, ino].join(' ');
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes(systemErrorCode(cause) ?? '')) return null;
    return `unreadable ${systemErrorCode(cause)}`;
  }
}

function readText(file: string): string {
  const hint = 'Make it a file that this user may read, or name another one with --webhooks.';
  return readInputFile(file, { mostBytes: largestFile, hint }).toString('utf8');
}
