import * as validators from '#validators/messaging';
import {
  type ConcurrencyBounds,
  createConcurrencyLimit,
} from '../../http/route/concurrency-limit.js';
import type { RouteGroup } from '../../http/route/route.js';
import { createViews } from '../views.js';
import { accountRoutes, peopleRoutes } from './account-routes.js';
import { chatRoutes } from './chat-routes.js';
import type { RouteContext } from './define-route.js';
import { memberRoutes } from './member-routes.js';
import { messageRoutes } from './message-routes.js';
import { createPageRoom } from './paging.js';
import { avatarRoutes, userRoutes } from './user-routes.js';

export interface MessagingRouteOptions extends Omit<RouteContext, 'views' | 'reads' | 'room'> {
  /** Returns the public URL of the site, without a trailing slash. */
  publicUrl(): string;
}

/** Limits of reading pages and lists for one user and sending them. Each page can take several megabytes. @bound */
const readsOfOne: ConcurrencyBounds = {
  /** Maximum number of pages and lists that are read for and sent to one user concurrently. */
  most: 8,
  /** Maximum number of one user's requests that wait to read a page or list. */
  maxWaiting: 1000,
};

/** Returns all routes of messaging. */
export function messagingRoutes(options: MessagingRouteOptions): RouteGroup {
  const context: RouteContext = {
    ...options,
    views: createViews(options.publicUrl),
    reads: createConcurrencyLimit(readsOfOne),
    room: createPageRoom(),
  };
  return {
    name: 'messaging',
    description: 'Accounts, private chats, groups, channels and their messages.',
    errorShape: 'site',
    schema: 'messaging',
    validators,
    routes: [
      ...accountRoutes(context),
      ...userRoutes(context),
      ...chatRoutes(context),
      ...memberRoutes(context),
      ...messageRoutes(context),
      ...peopleRoutes(context),
      ...avatarRoutes(),
    ],
  };
}
