import { addressOfSite } from '../../src/app/site-address.js';
import type { Config } from '../../src/config/config.js';
import type { User } from '../../src/messaging/model.js';
import { createViews } from '../../src/messaging/views.js';
import { oneLine } from '../../src/terminal/table.js';

/** What operators see of an account: the same as on the admin page. */
export function personView(config: Config) {
  return createViews(() => addressOfSite(config)).managedUser;
}

/** What they see of one account besides. Of a reset code it says until when it counts, and nothing else. */
export function moreOf({ reset }: User, { now, chats }: { now: number; chats: number }) {
  const resetExpiresAt =
    reset && reset.expires > now ? new Date(reset.expires).toISOString() : null;
  return { chats, resetExpiresAt };
}

/** Who it is, in a sentence: `Dana Omarova (dana@shop.kz, number 3)`. A name may hold line breaks. */
export function nameOf({ id, username, email }: User): string {
  return oneLine(`${username} (${email}, number ${id})`);
}
