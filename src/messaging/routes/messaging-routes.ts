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
  /** Returns the address of the site for clients, without a trailing slash. */
  publicUrl(): string;
}

/**
 * Pages and lists that are being read for one user or sent to one, and requests that wait for their turn. Each page can
 * take some megabytes. @bound
 */
const readsOfOne: ConcurrencyBounds = { most: 8, maxWaiting: 1000 };

/** Returns all routes of messaging. */
export function messagingRoutes(given: MessagingRouteOptions): RouteGroup {
  const context: RouteContext = {
    ...given,
    views: createViews(given.publicUrl),
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
