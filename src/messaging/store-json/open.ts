import { join } from 'node:path';
import type { Clock } from '../../base/clock.js';
import { ensureFolder } from '../../base/files/durable-write.js';
import { type FileLayer, systemFiles } from '../../base/files/file-layer.js';
import { type Closable, closeAll, closeOnFailure } from '../../storage/json/close-parts.js';
import { openCollection } from '../../storage/json/collection.js';
import type { MessagingStore } from '../store.js';
import { openJsonChatStore } from './chat-store.js';
import type { KeyRecord } from './idempotency.js';
import { type MessageStoreOptions, openJsonMessageStore } from './message-store.js';
import { openJsonUserStore } from './user-store.js';

export interface JsonMessagingOptions
  extends Pick<MessageStoreOptions, 'segmentBytes' | 'cacheBytes'> {
  /** The feature's own folder; created where it does not exist. */
  readonly folder: string;
  readonly clock: Clock;
  readonly files?: FileLayer;
  /** Told when work beside the requests failed (a fold, a flush); it is tried again by itself. */
  onBackgroundFailure?(error: unknown): void;
}

/** A token that was logged out. */
interface RevokedToken {
  readonly jti: string;
  /** Milliseconds since the epoch; from then on the token is no good anyway. */
  readonly expires: number;
}

/** Messaging on JSON files, for one process at a time (see the data lock). */
export function openJsonMessagingStore(options: JsonMessagingOptions): Promise<MessagingStore> {
  return closeOnFailure((keep) => openParts(options, keep));
}

async function openParts(
  options: JsonMessagingOptions,
  keep: <Part extends Closable>(part: Part) => Part,
): Promise<MessagingStore> {
  const { folder, clock, files = systemFiles, onBackgroundFailure = () => {} } = options;
  await ensureFolder(files, folder);
  const shared = { folder, clock, files, onFoldFailed: onBackgroundFailure };
  const isExpired = ({ expires }: { expires: number }, now: number) => expires <= now;
  const users = keep(await openJsonUserStore(shared));
  const chats = keep(await openJsonChatStore(shared));
  const revoked = keep(
    await openCollection<RevokedToken>({
      ...shared,
      name: 'revoked-tokens',
      keyOf: ({ jti }) => jti,
      isExpired,
    }),
  );
  const keys = keep(
    await openCollection<KeyRecord>({
      ...shared,
      name: 'idempotency-keys',
      keyOf: ({ name }) => name,
      isExpired,
    }),
  );
  const messages = await openJsonMessageStore({
    ...options,
    folder: join(folder, 'messages'),
    files,
    keys,
    onFlushFailed: onBackgroundFailure,
  });
  return {
    users,
    chats,
    messages,
    tokens: {
      revoke: (jti, expires) => revoked.put({ jti, expires }),
      isRevoked: async (jti) => revoked.get(jti) !== undefined,
    },
    // Messages first: moving them to their chats' logs needs the keys.
    close: () => closeAll([messages, users, chats, revoked, keys]),
  };
}
