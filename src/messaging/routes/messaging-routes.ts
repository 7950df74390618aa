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
  /** Where clients reach the site, without a slash at its end. */
  publicUrl(): string;
}

/**
 * Pages and lists that are read for one user or on their way to one, and requests that wait for that. Each may be
 * some megabytes. @bound
 */
const readsOfOne: ConcurrencyBounds = { most: 8, mostWaiting: 1000 };

/** Every endpoint of messaging; `user` is the authenticator that they ask for. */
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
