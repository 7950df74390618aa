import type { RouteGroup } from '../../http/route.js';
import { createViews } from '../views.js';
import { type AccountRouteOptions, accountRoutes } from './account-routes.js';
import { avatarRoutes } from './avatar-routes.js';
import { type ChatRouteOptions, chatRoutes } from './chat-routes.js';
import { messageRoutes } from './message-routes.js';

export interface MessagingRouteOptions
  extends Omit<AccountRouteOptions, 'views'>,
    Omit<ChatRouteOptions, 'views'> {
  readonly validators: RouteGroup['validators'];
  /** Where clients reach the site, without a slash at its end. */
  publicUrl(): string;
}

/** Every endpoint of messaging; `user` is the authenticator that they ask for. */
export function messagingRoutes(given: MessagingRouteOptions): RouteGroup {
  const options = { ...given, views: createViews(given.publicUrl) };
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
