import type { RouteGroup } from '../../http/route.js';
import { createTurns, type TurnBounds } from '../../http/turns.js';
import { createViews } from '../views.js';
import { type AccountRouteOptions, accountRoutes } from './account-routes.js';
import { avatarRoutes } from './avatar-routes.js';
import { type ChatRouteOptions, chatRoutes } from './chat-routes.js';
import { type MessageRouteOptions, messageRoutes } from './message-routes.js';
import { createPageRoom } from './page-room.js';

export interface MessagingRouteOptions
  extends Omit<AccountRouteOptions, 'views' | 'reads'>,
    Omit<ChatRouteOptions, 'views' | 'reads' | 'room'>,
    Omit<MessageRouteOptions, 'views' | 'reads' | 'room'> {
  readonly validators: RouteGroup['validators'];
  /** Where clients reach the site, without a slash at its end. */
  publicUrl(): string;
}

/** Pages and lists that are read for one user or on their way to one: each may be some megabytes. */
const readsOfOne: TurnBounds = { most: 8, mostWaiting: 1000 };

/** Every endpoint of messaging; `user` is the authenticator that they ask for. */
export function messagingRoutes(given: MessagingRouteOptions): RouteGroup {
  const options = {
    ...given,
    views: createViews(given.publicUrl),
    reads: createTurns(readsOfOne),
    room: createPageRoom(),
  };
  return {
    name: 'messaging',
    description: 'Accounts, private chats, groups, channels and their messages.',
    errorShape: 'site',
    schema: 'messaging',
    validators: given.validators,
    routes: [
      ...accountRoutes(options),
      ...chatRoutes(options),
      ...messageRoutes(options),
      ...avatarRoutes(),
    ],
  };
}
