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
/** Maximum size of `webhooks.json`, in bytes: room for 1,000 subscriptions with long addresses. */
const maxFileBytes = 1024 * 1024;

/**
 * Reads webhooks.json; without a file, there are no subscriptions. Throws `configuration` if the file is faulty, and
 * `unreadable_input` if it cannot be read.
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

  function reload(mark: string): void {
    seen = mark;
    try {
      now = read(mark);
      log.info(
        { file, subscriptions: now.subscriptions.length },
        'Webhook subscriptions reloaded.',
      );
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { message, details } = error;
      log.error({ file, details }, `${message} The previous subscriptions remain in use.`);
    }
  }

  async function refresh(): Promise<void> {
    const mark = await fileMark(file);
    const isNew = mark !== seen;
    // Some editors remove and recreate a file to save it, so it is treated as removed only if it is missing twice.
    const mayComeBack = isNew && isMissing(mark) && !wasMissing;
    wasMissing = mayComeBack;
    if (isNew && !mayComeBack) reload(mark);
  }

  return {
    /** Returns the current subscriptions. */
    current: (): readonly Subscription[] => now.subscriptions,
    /** Returns the digest of the file's text, or of an empty text if there is no file. */
    digest: () => now.digest,
    /** Reloads the file within a second of a change, unless it is faulty, until `signal` aborts. */
    watch: (signal: AbortSignal) =>
      every(refreshEveryMs, refresh, { clock, signal, sleepFirst: true }),
  };
}

function readText(file: string): string {
  const hint = 'Make the file readable by this user, or specify another one with --webhooks.';
  return readInputFile(file, { maxBytes: maxFileBytes, hint }).toString('utf8');
}

function isMissing(mark: string): boolean {
  return mark === 'ENOENT' || mark === 'ENOTDIR';
}
