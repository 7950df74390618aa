import { dirname, join } from 'node:path';
import type { Clock } from '../../base/clock.js';
import { ensureFolder } from '../../base/files/durable-write.js';
import { type FileLayer, systemFiles } from '../../base/files/file-layer.js';
import type { Report } from '../../storage/json/check/data-checker.js';
import { setAside } from '../../storage/json/check/data-checker.js';
import { closeAll, closeOnFailure } from '../../storage/json/close-parts.js';
import { openCollection } from '../../storage/json/collection/collection.js';
import { createChanges, type Notify } from '../change-index.js';
import type { MessageKeyRecord } from '../model.js';
import type { EndedAccount, MessagingStore } from '../store.js';
import { type JsonChatStore, openJsonChatStore } from './chat-store.js';
import { isStoreComplete, markComplete, messagingCollections } from './collections.js';
import {
  type JsonMessageStore,
  type KeepDamage,
  type MessageStoreOptions,
  openJsonMessageStore,
} from './message-store.js';
import { type JsonUserStore, openJsonTokenStore, openJsonUserStore } from './user-store.js';

export interface JsonMessagingOptions
  extends Pick<MessageStoreOptions, 'segmentBytes' | 'cacheBytes'> {
  /** The messaging folder in the data folder. It is created if it does not exist. */
  readonly folder: string;
  readonly clock: Clock;
  readonly files?: FileLayer;
  /** Called when background work, such as moving messages, failed. It is retried automatically. */
  onBackgroundFailure?(error: unknown): void;
  /** Called with damage that affects only the damaged records. */
  onDamage?(...damage: Parameters<Report>): void;
}

/** Opens messaging on JSON files. The caller must hold the data lock. */
export async function openJsonMessagingStore(
  options: JsonMessagingOptions,
): Promise<MessagingStore> {
  const { folder, clock, files = systemFiles, onBackgroundFailure = () => {} } = options;
  const { onDamage = () => {} } = options;
  await ensureFolder(files, folder);
  const mustExist = await isStoreComplete(folder, files, onDamage);
  const collections = messagingCollections(folder, files);
  const changes = createChanges();
  const { notify } = changes;
  const shared = { collections, clock, mustExist, notify, onFoldFailed: onBackgroundFailure };
  const keepDamage: KeepDamage = async (finding, bytes) => {
    onDamage(finding, bytes);
    if (bytes) await setAside(files, dirname(folder), finding.file, bytes);
  };
  const isExpired = (record: { expires: number }, now: number) => record.expires <= now;

  return closeOnFailure(async (keep) => {
    const opened: { users?: JsonUserStore; messages?: JsonMessageStore } = {};
    const [users, chats, tokens, keys] = await Promise.all([
      keep(openJsonUserStore(shared)),
      keep(
        openJsonChatStore({
          ...shared,
          isEnded: (userId) => opened.users?.isEnded(userId) ?? false,
          lastMessageId: () => opened.messages?.lastId() ?? 0,
          onRemoved: (chatId) => opened.messages?.forgetChat(chatId),
          onUnfinished: onBackgroundFailure,
        }),
      ),
      keep(
        openJsonTokenStore({
          ...shared,
          findUser: async (id) => opened.users?.find(id),
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
    opened.users = users;
    const messages = await keep(
      openJsonMessageStore({
        ...options,
        folder: join(folder, 'messages'),
        files,
        keys,
        chats,
        notify,
        mustExist,
        onDamage,
        keepDamage,
        onFlushFailed: onBackgroundFailure,
      }),
    );
    opened.messages = messages;
    if (!mustExist) await markComplete(folder, files);
    const endings = createAccountEndings(users, chats, notify, onBackgroundFailure);
    await endings.finish();
    return {
      users,
      chats,
      messages,
      tokens,
      changes,
      endAccount: endings.end,
      // Closes the messages first, because moving them to the chat logs requires the keys and the chats.
      close: () => closeAll([endings, messages, users, chats, tokens, keys]),
    };
  });
}

/**
 * Deletes accounts. Storing the placeholder is the commit point. The account is then removed from its chats. If that
 * fails or is interrupted, it is retried when the next account is deleted, when the store closes, or when it opens
 * again.
 */
function createAccountEndings(
  users: JsonUserStore,
  chats: JsonChatStore,
  notify: Notify,
  onUnfinished: (error: unknown) => void,
) {
  const unfinished = new Set<number>();

  async function departAll(): Promise<void> {
    for (const id of unfinished) {
      await chats.departAll(id);
      unfinished.delete(id);
    }
  }

  return {
    async end(id: number, end: EndedAccount): Promise<boolean> {
      if (!(await users.end(id, end))) return false;
      unfinished.add(id);
      notify({ person: id });
      await departAll().catch(onUnfinished);
      return true;
    },
    /** Finishes deletions that a killed process had begun. */
    finish: () => chats.finish(users.ended()),
    async close(): Promise<void> {
      await departAll().catch(onUnfinished);
    },
  };
}
