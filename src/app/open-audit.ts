import { type AuditStore, removeOldLines } from '../audit/store.js';
import { type JsonAuditOptions, openJsonAuditStore } from '../audit/store-json/open.js';
import { startEvery } from '../base/every.js';
import type { Logger } from '../base/log.js';
import type { MoneyClock } from '../base/money-clock.js';

interface JsonAudit extends JsonAuditOptions {
  readonly log: Logger;
  /** Whether it removes what has been kept for long enough. */
  readonly tidies: boolean;
  readonly deletionTime: MoneyClock['deletionTime'];
}

/** Milliseconds between two removals of what is old. */
const tidyEvery = 6 * 3_600_000;

/** The audit in files; it makes nothing before the first act. */
export function openJsonAudit({ log, tidies, deletionTime, ...options }: JsonAudit): {
  readonly store: AuditStore;
  close(): Promise<void>;
} {
  const { clock } = options;
  const store = openJsonAuditStore({
    ...options,
    onBackgroundFailure: (err) =>
      log.error({ err }, 'Work on the audit failed; it is tried again.'),
  });
  const tidy = () => removeOldLines(store, deletionTime);
  const onError = (err: unknown) =>
    log.warn({ err }, 'Old lines of the audit could not be removed; it is tried again.');
  const tidying = tidies ? startEvery(tidyEvery, tidy, { clock, onError }) : undefined;
  return {
    store,
    async close() {
      await tidying?.stop();
      await store.close();
    },
  };
}
