import type { Clock } from '../clock.js';
import type { Authenticator } from '../http/endpoint.js';
import type { RateLimiter } from '../http/rate-limit.js';
import type { RouteGroup } from '../http/route.js';
import type { Logger } from '../log.js';
import { createAccounts } from './accounts.js';
import { createChats } from './chats.js';
import { createMessageCipher } from './cipher.js';
import { createMessages } from './messages.js';
import { createPasswordHasher } from './password-hasher.js';
import { messagingRoutes } from './routes/messaging-routes.js';
import { userAuthenticator } from './routes/principal.js';
import type { MessagingStore } from './store.js';
import { createTokens } from './tokens.js';
import { createViews } from './views.js';

export interface MessagingOptions {
  readonly store: MessagingStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly rateLimiter: RateLimiter;
  readonly validators: RouteGroup['validators'];
  readonly jwtSecret: string;
  /** Life of an access token in seconds. */
  readonly tokenTtl: number;
  readonly bcryptCost: number;
  readonly encryptionSecret?: string | undefined;
  /** Where clients reach the site, without a slash at its end. */
  publicUrl(): string;
}

/** The feature, put together on its store. */
export interface Messaging {
  readonly group: RouteGroup;
  /** The authenticator that the group's routes call `user`. */
  readonly authenticator: Authenticator;
  /** Ends the hashing threads and closes the store. */
  close(): Promise<void>;
}

export function createMessaging(options: MessagingOptions): Messaging {
  const { store, clock, log, rateLimiter, validators } = options;
  const tokens = createTokens({
    secret: options.jwtSecret,
    ttl: options.tokenTtl,
    clock,
    store: store.tokens,
  });
  const hasher = createPasswordHasher({ cost: options.bcryptCost });
  const accounts = createAccounts({ users: store.users, tokens, hasher, clock });
  const chats = createChats({
    store,
    clock,
    onUnreadable: (chatId, err) => log.error({ chatId, err }, "A chat's log cannot be read."),
  });
  const messages = createMessages({
    store,
    chats,
    cipher: createMessageCipher(options.encryptionSecret),
    clock,
    onUndecryptable: ({ id, chatId }) =>
      log.warn({ messageId: id, chatId }, 'A message cannot be decrypted.'),
  });
  const views = createViews(options.publicUrl);
  return {
    group: messagingRoutes({ accounts, chats, messages, views, rateLimiter, validators }),
    authenticator: userAuthenticator(accounts),
    async close() {
      await hasher.close();
      await store.close();
    },
  };
}
