import type * as schema from '#validators/messaging';
import type { RateLimiter } from '../../base/rate-limit.js';
import type { ConcurrencyLimit } from '../../http/route/concurrency-limit.js';
import { routesOf } from '../../http/route/route.js';
import type { Accounts } from '../accounts.js';
import type { Chats } from '../chats.js';
import type { Directory } from '../directory.js';
import type { ListWaits } from '../list-waits.js';
import type { Members } from '../members.js';
import type { Messages } from '../messages.js';
import type { Passwords } from '../passwords.js';
import type { People } from '../people.js';
import type { Views } from '../views.js';
import type { PageRoom } from './page-room.js';
import type { Principal } from './principal.js';

/** What the routes of messaging work with. */
export interface RouteContext {
  readonly accounts: Accounts;
  readonly passwords: Passwords;
  readonly people: People;
  readonly directory: Directory;
  readonly chats: Chats;
  readonly members: Members;
  readonly messages: Messages;
  readonly listWaits: ListWaits;
  readonly views: Views;
  readonly rateLimiter: RateLimiter;
  /** Pages and lists that are read for one user or on their way to one. */
  readonly reads: ConcurrencyLimit;
  readonly room: PageRoom;
}

/** Declares a route of messaging, which may ask for a signed-in user. */
export const defineRoute = routesOf<typeof schema, { user: Principal; operator: undefined }>();
