import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { boundOf, boundsIn, type Constant } from './bounds-code.js';
import { agrees, rowsOf } from './bounds-page.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const rows = rowsOf(readFileSync(`${root}/docs/security.md`, 'utf8'), root);
const written = ({ file, name }: Constant) => `${file} ${name}`;
const onPage = new Set(rows.flatMap(({ constants }) => constants.map(written)));

/** Bounds by their name that limit nothing from outside. */
const notFromOutside: Readonly<Record<string, readonly string[]>> = {
  'what a timer of Node.js takes': [
    'bin/launch.mjs longestTimer',
    'src/base/clock.ts longestTimer',
  ],
  'what is shown unless told otherwise': [
    'commands/flags.ts defaultLimit',
    'src/orders/routes/order-routes.ts usualPage',
  ],
  'how often bounds are looked at': [
    'src/http/listener/listener.ts defaultLimits.connectionsCheckingInterval',
    'src/webhooks/tools/listener.ts requestLimits.connectionsCheckingInterval',
    'src/screens/preview/server.ts timeouts.check',
  ],
  'a parameter that is a bound of the page unless told': [
    'src/base/files/input-file.ts mostBytes',
    'src/json/bounds.ts deepest',
    'src/messaging/routes/page-room.ts most',
    'src/messaging/store-json/message-tails.ts bytes',
    'src/screens/check/gather.ts most',
  ],
  'what is left once the bound of the page was reached': [
    'src/messaging/store-json/message-tails.ts longest',
    'src/payments/providers/sandbox/store-json/session-store.ts usualBounds.keptOfTooMany',
    'src/payments/providers/sandbox/store-json/operation-room.ts usualOperationBounds.keptOfTooMany',
  ],
  'how much of our own work is done at a time': [
    'src/payments/watching/payment-balance.ts mostInRound',
    'src/screens/check/check-files.ts mostThreads',
    'src/messaging/store-postgres/removed-chats.ts mostDeleted',
    'src/storage/postgres/batched-read.ts mostKeys',
    'src/storage/postgres/notifications.ts longestPayload',
    'src/storage/postgres/worker.ts mostRetried',
    'src/transfer/load-database.ts mostBytes',
    'src/transfer/load-database.ts mostRecords',
    'src/webhooks/delivering/endpoint-limits.ts defaultLimits.reserved',
    'src/storage/json/records/record-file.ts mostLines',
    'src/webhooks/store-postgres/open.ts mostOfReceiver',
  ],
  'how long our own work may take': [
    'src/payments/reconcile/nightly.ts longestRun',
    'src/payments/reconcile/reconcile.ts longestPause',
    'src/payments/store-postgres/answer-store.ts longestFlight',
    'src/storage/postgres/database.ts closeTimeout',
    'src/storage/postgres/notifications.ts closeTimeout',
    'src/storage/postgres/worker.ts longestRelease',
    'src/webhooks/delivering/worker.ts longestPauseMs',
  ],
  'a highest id that was found, which bounds nothing': [
    'src/messaging/records.ts highestMark',
    'src/messaging/store-json/read-through.ts highest',
  ],
  'how long a sentence or name of ours becomes': [
    'commands/pay/session-file.ts longestHost',
    'src/screens/rules/advised-sentences.ts longestSummary',
    'src/screens/rules/cell-value.ts mostWords',
    'src/storage/json/records/record-paths.ts longestName',
    'src/site/store-json/image-file.ts longestHeader',
  ],
};

/** Bounds with other names, and those of the schemas that the page lists. */
const byOtherNames: Readonly<Record<string, readonly string[]>> = {
  'bin/launch.mjs': ['stallTime'],
  'commands/interruptible.ts': ['grace'],
  'commands/pay/refund-key.ts': ['keptFor'],
  'schemas/gateway.schema.json': [
    'CreateInvoice.amount.maximum',
    'CreateInvoice.comment.maxLength',
    'SendPhone.phoneNumber.maxLength',
    'VerifyOtp.otp.maxLength',
    'VerifyOtp.processId.maxLength',
  ],
  'schemas/messaging.schema.json': [
    'Bio.maxLength',
    'ChatName.maxLength',
    'Credentials.email.maxLength',
    'Credentials.password.maxLength',
    'ImageUrl.maxLength',
    'MessageText.maxLength',
    'Username.maxLength',
  ],
  'schemas/site.schema.json': [
    'Features.items.maxLength',
    'Features.maxItems',
    'Image.maxLength',
    'LongText.maxLength',
    'MapLink.maxLength',
    'Name.maxLength',
    'Phone.maxLength',
    'Price.maximum',
    'Shop.address.maxLength',
    'Shop.hours.maxLength',
    'Shop.name.maxLength',
    'Tagline.maxLength',
    'WhatsApp.maxLength',
  ],
  'schemas/webhooks.schema.json': [
    'Filter.organizations.maxItems',
    'Subscription.description.maxLength',
    'Subscription.headers.additionalProperties.maxLength',
    'Subscription.headers.maxProperties',
    'Subscription.secret.maxItems',
    'Subscription.secret.maxLength',
    'Subscription.url.maxLength',
    'Subscriptions.maxItems',
  ],
  'src/http/request/body.ts': ['discardPatience'],
  'src/base/files/input-file.ts': ['defaultInputBytes'],
  'src/messaging/list-texts.ts': ['shortText'],
  'src/messaging/reset-code.ts': ['resetCodeLife'],
  'src/messaging/routes/messaging-routes.ts': ['readsOfOne.most', 'readsOfOne.mostWaiting'],
  'src/messaging/routes/page-room.ts': ['plenty', 'scarce.bytes', 'scarce.limit'],
  'src/messaging/store-json/idempotency.ts': ['lifeMs'],
  'src/messaging/store-json/message-store.ts': ['cacheBytes'],
  'src/messaging/store-postgres/message-rows.ts': ['keyLifeMs'],
  'src/messaging/tokens.ts': ['renewalGrace'],
  'src/payments/gateway.ts': ['callsPerSession'],
  'src/payments/reconcile/reconcile-schedule.ts': ['daysBack'],
  'src/payments/watching/poll-schedule.ts': ['giveUpAfter'],
  'src/json/checked-file.ts': ['shownFaults'],
  'src/payments/providers/open-provider.ts': ['concurrency'],
  'src/payments/providers/sandbox/store-json/session-store.ts': ['unusedLife'],
  'src/payments/providers/sandbox/sandbox.ts': ['shownOperations'],
  'src/payments/providers/sandbox/sign-in.ts': ['allowedTries', 'signInLife'],
  'src/payments/sessions/sign-in.ts': ['stepsAtOnce'],
  'src/payments/store.ts': ['codesPerSignIn', 'keptFor', 'signInLife'],
  'src/screens/check/check-file.ts': ['largeFile'],
  'src/site/images/unused.ts': ['unusedFor'],
  'src/webhooks/delivery.ts': ['keptAttempts'],
  'src/webhooks/delivering/sender.ts': ['keptBytes'],
};

test.each(rows)('docs state the bound of the code for $what: $bound', ({ bound, constants }) => {
  const values = constants.map((constant) => boundOf(constant, root));
  expect(agrees(bound, values), `The code has ${JSON.stringify(values)}.`).toBe(true);
});

test('the page lists every bound of the code, and nothing else', () => {
  const spared = Object.values(notFromOutside).flat();
  const bounds = boundsIn(root).map(written);
  expect(spared.filter((name) => !bounds.includes(name))).toEqual([]);
  const others = Object.entries(byOtherNames).flatMap(([file, names]) =>
    names.map((name) => written({ file, name })),
  );
  const expected = [...bounds.filter((name) => !spared.includes(name)), ...others];
  expect([...onPage].sort()).toEqual([...new Set(expected)].sort());
});
