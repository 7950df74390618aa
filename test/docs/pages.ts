import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Reader } from './follow.js';
import { root } from './machine.js';

const shop = ['msgsite serve --demo'];

/** A definition whose product has a name of 43 characters on its fifth line. */
const contracts = `mkdir screens
cat > screens/contracts.screen.json <<'END'
{
  "archetype": "queue",

  "product": {
    "name": "Реестр договоров отдела закупок и логистики",
    "entity": "договор"
  }
}
END
cp screens/contracts.screen.json .`;

/** A received body with its headers, for `webhooks verify`. */
const received = `printf try-me > secret.txt
printf '{}' > body.json
node -e 'const hmac = crypto.createHmac("sha256", "try-me").update("{}").digest("hex");
console.log("X-Webhook-Signature: sha256=" + hmac)' > headers.txt`;

/** The environment that client generators require. */
const typescript = {
  // As a URL, so that a space in the path does not split the option.
  NODE_OPTIONS: `--import ${pathToFileURL(join(root, 'test/docs/typescript-api.mjs')).href}`,
};

/** Pages that are followed with JSON files, with the preparations of their readers. */
export const followed: Readonly<Record<string, Reader>> = {
  'README.md': {},
  'docs/payments/till.md': { open: shop },
  'docs/start/command-line.md': {},
  'docs/start/configuration.md': {},
  'docs/start/exit-codes.md': {},
  'docs/screens/editors.md': {},
  'docs/shop/http-api.md': { env: typescript },
  'docs/payments/money.md': {},
  'docs/shop/pages.md': {},
  'docs/payments/gateway.md': { open: shop },
  'docs/shop/admins.md': {},
  'docs/shop/helping-people.md': { open: shop },
  'docs/payments/provider-protocol.md': {},
  'docs/operate/proxy.md': {
    before: 'mkdir nginx caddy',
    keepPorts: true,
    instead: { '/etc/nginx/conf.d/': './nginx/', '/etc/caddy/': './caddy/' },
  },
  'docs/payments/rehearsing-faults.md': {},
  'docs/screens/gallery.md': {
    before: 'cp test/screens/valid/queue/contracts-ru.screen.json contracts.screen.json',
  },
  'docs/shop/your-shop.md': {},
  'docs/screens/validate-screen.md': { before: contracts },
  'docs/payments/webhooks.md': { before: received },
};

/** Pages that are followed with PostgreSQL. */
export const followedOnPostgres: Readonly<Record<string, Reader>> = {
  'docs/operate/moving-data.md': {
    // Creates a payment in the folder that is moved.
    before: 'msgsite pay login --phone 87011234567 --otp 123456; msgsite pay qr --amount 1500',
  },
  'docs/operate/postgresql.md': {},
};
