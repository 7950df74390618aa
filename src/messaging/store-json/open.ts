import { dirname, join } from 'node:path';
import type { Clock } from '../../base/clock.js';
import { ensureFolder } from '../../base/files/durable-write.js';
import { type FileLayer, systemFiles } from '../../base/files/file-layer.js';
import type { Report } from '../../storage/json/check/data-checker.js';
import { setAside } from '../../storage/json/check/set-aside.js';
import { closeAll, closeOnFailure } from '../../storage/json/close-parts.js';
import { openCollection } from '../../storage/json/collection/collection.js';
import { type MessageKeyRecord, type RevokedTokenRecord, revokedBefore } from '../records.js';
import type { MessagingStore } from '../store.js';
import { openJsonChatStore } from './chat-store.js';
import { isComplete, markComplete, messagingCollections } from './collections.js';
import {
  type KeepDamage,
  type MessageStoreOptions,
  openJsonMessageStore,
} from './message-store.js';
import { openJsonUserStore } from './user-store.js';

export interface JsonMessagingOptions
  extends Pick<MessageStoreOptions, 'segmentBytes' | 'cacheBytes'> {
  /** The feature's own folder in the data folder; created where it does not exist. */
  readonly folder: string;
  readonly clock: Clock;
  readonly files?: FileLayer;
  /** Called when work beside the requests failed (a fold, a flush); it is tried again by itself. */
  onBackgroundFailure?(error: unknown): void;
  /** Called with damage that stops nothing but what is damaged. */
  onDamage?(...damage: Parameters<Report>): void;
}

/** Messaging on JSON files, for one process at a time (see the data lock). */
export async function openJsonMessagingStore(
  options: JsonMessagingOptions,
): Promise<MessagingStore> {
  const { folder, clock, files = systemFiles, onBackgroundFailure = () => {} } = options;
  const { onDamage = () => {} } = options;
  await ensureFolder(files, folder);
  const mustExist = await isComplete(folder, files, onDamage);
  const collections = messagingCollections(folder, files);
  const shared = { collections, clock, mustExist, onFoldFailed: onBackgroundFailure };
  const keepDamage: KeepDamage = async (finding, bytes) => {
    onDamage(finding, bytes);
    if (bytes) await setAside(files, dirname(folder), finding.file, bytes);
  };
  const isExpired = (record: { expires: number }, now: number) => record.expires <= now;
  /** Tokens issued before this time (ms) are all revoked. */
  let notBefore = 0;

  return closeOnFailure(async (keep) => {
    const [users, chats, revoked, keys] = await Promise.all([
      keep(openJsonUserStore(shared)),
      keep(openJsonChatStore(shared)),
      keep(
        openCollection<RevokedTokenRecord>({
          ...shared,
          ...collections.revokedTokens,
          isExpired,
          onPut: (record) => {
            notBefore = Math.max(notBefore, revokedBefore(record));
          },
        }),
      ),
      keep(
        openCollection<MessageKeyRecord>({
          ...shared,
          ...collections.keys,
          isExpired,
          onDamage: keepDamage,
        }),
      ),
    ]);
    const messages = await keep(
      openJsonMessageStore({
        ...options,
        folder: join(folder, 'messages'),
        files,
        keys,
        logLengths: chats.logLengths,
        mustExist,
        onDamage,
        keepDamage,
        onFlushFailed: onBackgroundFailure,
      }),
    );
    if (!mustExist) await markComplete(folder, files);
    return {
      users,
      chats,
      messages,
      tokens: {
        revoke: (jti, expires) => revoked.put({ jti, expires }),
        isRevoked: async (jti, issued) => revoked.get(jti) !== undefined || issued < notBefore,
      },
      // Messages first: moving them to their chats' logs needs the keys and the chats.
      close: () => closeAll([messages, users, chats, revoked, keys]),
    };
  });
}
