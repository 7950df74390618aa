import type { Clock } from '../../base/clock.js';
import type { Environment } from '../../base/environment.js';
import { AppError } from '../../base/errors.js';
import { every } from '../../base/every.js';
import { fileMark, readInputFile } from '../../base/files/input-file.js';
import { digest } from '../../events/event.js';
import type { WebhookLog } from '../log.js';
import { parseSubscriptions, type Subscription } from './subscription-file.js';

export interface SubscriptionSourceOptions {
  readonly file: string;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly log: WebhookLog;
}

const refreshEveryMs = 1_000;
/** Bytes of `webhooks.json`: room for 1,000 subscriptions with long addresses. */
const largestFile = 1024 * 1024;

/**
 * Reads webhooks.json; where there is none, there are no subscriptions. Throws a `configuration` error
 * where it is faulty, or `unreadable_input` where it cannot be read.
 */
export async function openSubscriptions(options: SubscriptionSourceOptions) {
  const { file, environment, clock, log } = options;
  const read = (mark: string) => {
    const text = isMissing(mark) ? undefined : readText(file);
    return {
      subscriptions: text === undefined ? [] : parseSubscriptions({ file, text, environment }),
      digest: digest([text ?? '']),
    };
  };
  let seen = await fileMark(file);
  let now = read(seen);
  let wasMissing = false;

  function takeOver(mark: string): void {
    seen = mark;
    try {
      now = read(mark);
      log.info({ file, subscriptions: now.subscriptions.length }, 'Webhook subscriptions re-read.');
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { message, details } = error;
      log.error({ file, details }, `${message} The subscriptions read before stay in force.`);
    }
  }

  async function refresh(): Promise<void> {
    const mark = await fileMark(file);
    const isNew = mark !== seen;
    // Editors save by removing and creating: a file counts as gone when it is missing twice.
    const mayComeBack = isNew && isMissing(mark) && !wasMissing;
    wasMissing = mayComeBack;
    if (isNew && !mayComeBack) takeOver(mark);
  }

  return {
    /** The subscriptions as they are now. */
    current: (): readonly Subscription[] => now.subscriptions,
    /** Digest of the text that they were read from; of no text where there is no file. */
    digest: () => now.digest,
    /** Every second until `signal` aborts: reads a file that has changed, and takes it over unless it is faulty. */
    watch: (signal: AbortSignal) =>
      every(refreshEveryMs, refresh, { clock, signal, sleepFirst: true }),
  };
}

function readText(file: string): string {
  const hint = 'Make it a file that this user may read, or name another one with --webhooks.';
  return readInputFile(file, { mostBytes: largestFile, hint }).toString('utf8');
}

function isMissing(mark: string): boolean {
  return mark === 'ENOENT' || mark === 'ENOTDIR';
}
