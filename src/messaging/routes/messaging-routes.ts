import type { RouteGroup } from '../../http/route.js';
import { type AccountRouteOptions, accountRoutes } from './account-routes.js';
import { avatarRoutes } from './avatar-routes.js';
import { type ChatRouteOptions, chatRoutes } from './chat-routes.js';
import { messageRoutes } from './message-routes.js';

export interface MessagingRouteOptions extends AccountRouteOptions, ChatRouteOptions {
  readonly validators: RouteGroup['validators'];
}

/** Every endpoint of messaging. */
export function messagingRoutes(options: MessagingRouteOptions): RouteGroup {
  return {
    name: 'messaging',
    description: 'Accounts, private chats, groups, channels and their messages.',
    errorShape: 'site',
    schema: 'messaging',
    validators: options.validators,
    routes: [
      ...accountRoutes(options),
      ...chatRoutes(options),
      ...messageRoutes(options),
      ...avatarRoutes(),
    ],
  };
}
