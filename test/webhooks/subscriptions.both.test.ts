import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { subjectOf } from '../../src/events/event.js';
import { createSigningKey, signBody, signStandard } from '../../src/webhooks/signature.js';
import { deliveryStoreFor } from '../helpers/delivery-store.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { answer, type Received, startReceiver } from './receiver.js';
import { sampleEvent } from './samples.js';
import {
  deliveriesOf,
  endedOf,
  allEvents as events,
  eventsOf,
  keepingLog,
  openWebhooks,
  until,
  writeSubscriptions,
} from './webhooks-under-test.js';

const organizationId = 7;
const never = new AbortController().signal;

describe('a subscription', () => {
  it('signs with all of its secrets and sends its headers', async () => {
    const folder = await makeTempFolder();
    const receiver = await startReceiver();
    const secret = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'env:OLD'];
    const headers = { Authorization: 'Bearer x', 'X-Shop': '6' };
    const webhooks = await openWebhooks({
      folder,
      subscriptions: [{ url: receiver.url, events, secret, headers, description: 'The shop' }],
      changes: { environment: { OLD: 'old one' } },
    });
    webhooks.start();
    await webhooks.announce(sampleEvent({ reference: 'order-9', organizationId }));
    await endedOf(webhooks, '1001');
    const [{ headers: sent, body }] = receiver.received as [Received];
    const keys = [secret[0] ?? '', 'old one'].map(createSigningKey);
    const id = String(sent['x-webhook-id']);
    const timestamp = Number(sent['webhook-timestamp']);
    expect(sent).toMatchObject({
      'x-webhook-signature': signBody(createSigningKey(secret[0] ?? ''), body),
      'webhook-signature': signStandard(keys, { id, timestamp, body }),
      authorization: 'Bearer x',
      'x-shop': '6',
    });
    expect(String(sent['webhook-signature']).split(' ')).toHaveLength(2);
    expect(JSON.parse(body)).toMatchObject({ reference: 'order-9' });
    expect(body).not.toContain('organizationId');
  });

  it('receives the events that match its filter, and none while it is disabled in the file', async () => {
    const folder = await makeTempFolder();
    const receivers = await Promise.all([1, 2, 3, 4].map(() => startReceiver()));
    const [invoices, sevens, both, disabled] = receivers.map(({ url }) => ({ url, events }));
    const webhooks = await openWebhooks({
      folder,
      subscriptions: [
        { ...invoices, filter: { types: ['invoice'] } },
        { ...sevens, filter: { organizations: [7] } },
        { ...both, filter: { types: ['qr'], organizations: [8, 9] } },
        { ...disabled, enabled: false },
      ],
    });
    webhooks.start();
    for (const [paymentId, type, organizationId] of [
      ['1', 'qr', 7],
      ['2', 'invoice', 7],
      ['3', 'qr', 8],
      ['4', 'invoice', 8],
    ] as const) {
      await webhooks.announce(sampleEvent({ paymentId, type, organizationId }));
      await endedOf(webhooks, paymentId);
    }
    const receivedIds = receivers.map(({ received }) =>
      received.map(({ body }) => JSON.parse(body).paymentId),
    );
    expect(receivedIds).toEqual([['2', '4'], ['1', '2'], ['3'], []]);
    // A payment without an organization matches no filter of organizations.
    await webhooks.announce(sampleEvent({ paymentId: '5' }));
    expect(await eventsOf(webhooks)).toMatchObject([{ facts: { paymentId: '5' } }]);
    expect(webhooks.standings()[3]).toMatchObject({ enabled: false, disabledBy: 'file' });
  });
});

describe('a receiver that responds with 410', () => {
  async function gone() {
    const folder = await makeTempFolder();
    const receiver = await startReceiver(answer(410));
    const subscriptions = [{ url: receiver.url, events }];
    const log = keepingLog();
    const webhooks = await openWebhooks({ folder, subscriptions, changes: { log } });
    webhooks.start();
    await webhooks.announce(sampleEvent());
    expect(await endedOf(webhooks, '1001')).toMatchObject([
      { state: 'dropped', attempts: [{ status: 410 }] },
    ]);
    await until(() => expect(webhooks.standings()).toMatchObject([{ disabledBy: '410' }]));
    receiver.behave(answer(200));
    return { folder, receiver, webhooks, log, url: receiver.url };
  }

  it('receives nothing from any process, even after a restart, and its events are stored', async () => {
    const { folder, receiver, webhooks, log, url } = await gone();
    await webhooks.announce(sampleEvent({ paymentId: 'meanwhile' }));
    const other = await openWebhooks({ folder });
    await other.announce(sampleEvent({ paymentId: 'elsewhere' }));
    await webhooks.stop();
    const next = await openWebhooks({ folder });
    next.start();
    expect(next.standings()).toEqual([
      { url, enabled: false, disabledBy: '410', droppedInARow: 1 },
    ]);
    await next.announce(sampleEvent({ paymentId: 'after' }));
    const stored = (await eventsOf(next)).map(({ facts }) => subjectOf(facts)).sort();
    expect(stored).toEqual(['after', 'elsewhere', 'meanwhile']);
    expect(receiver.received).toHaveLength(1);
    expect(JSON.stringify(log.lines)).toContain('410 Gone');
  });

  it('receives new events after it is enabled, but not the missed ones', async () => {
    const { folder, receiver, webhooks, url } = await gone();
    await webhooks.announce(sampleEvent({ paymentId: 'meanwhile' }));
    const command = await openWebhooks({ folder });
    expect(await command.enable('http://elsewhere.example/')).toEqual([]);
    expect(await command.enable(url)).toMatchObject([{ disabledBy: '410' }]);
    await until(() => expect(webhooks.standings()).toMatchObject([{ disabledBy: null }]));
    await webhooks.announce(sampleEvent({ paymentId: 'after' }));
    await endedOf(webhooks, 'after');
    const sent = receiver.received.map(({ body }) => JSON.parse(body).paymentId);
    expect(sent).toEqual(['1001', 'after']);
    await until(() =>
      expect(webhooks.standings()).toMatchObject([{ enabled: true, droppedInARow: 0 }]),
    );
  });

  it('receives new events after its entry in the file changes, even if it changes back', async () => {
    const { folder, receiver, webhooks, url } = await gone();
    await writeSubscriptions(folder, [{ url, events, description: 'it is back' }]);
    await until(() => expect(webhooks.standings()).toMatchObject([{ disabledBy: null }]));
    const { store } = await deliveryStoreFor(join(folder, 'data'));
    await until(async () =>
      expect(await store.receivers.list()).toMatchObject([{ disabled: null }]),
    );
    await store.close();
    await writeSubscriptions(folder, [{ url, events }]);
    await webhooks.announce(sampleEvent({ paymentId: 'after' }));
    await endedOf(webhooks, 'after');
    expect(receiver.received).toHaveLength(2);
  });

  it('does not receive its pending deliveries', async () => {
    const folder = await makeTempFolder();
    const clock = createManualClock();
    const receiver = await startReceiver((response, number) => {
      response.writeHead(number === 1 ? 500 : 410).end();
    });
    const webhooks = await openWebhooks({
      folder,
      clock,
      subscriptions: [{ url: receiver.url, events }],
    });
    webhooks.start();
    const occurredAt = clock.now();
    await webhooks.announce(sampleEvent({ paymentId: 'waits', occurredAt }));
    await until(async () =>
      expect(await deliveriesOf(webhooks)).toMatchObject([{ attempts: [{ status: 500 }] }]),
    );
    await webhooks.announce(sampleEvent({ paymentId: 'second', occurredAt }));
    await endedOf(webhooks, 'second');
    await clock.advance(5_000);
    const [waited] = await endedOf(webhooks, 'waits');
    expect(waited).toMatchObject({ state: 'dropped', attempts: [{}, { status: null }] });
    expect(waited?.attempts[1]?.error).toContain('410 Gone');
    expect(receiver.received).toHaveLength(2);
    expect(webhooks.standings()).toMatchObject([{ droppedInARow: 1 }]);
    // A manual replay also fails until the subscription is enabled.
    const again = await webhooks.replay(waited?.id ?? '', never);
    expect(again).toMatchObject({ report: { attempt: { status: null } } });
    await webhooks.enable(receiver.url);
    receiver.behave(answer(200));
    await webhooks.replay(waited?.id ?? '', never);
    expect(await deliveriesOf(webhooks, { state: 'delivered' })).toHaveLength(1);
  });
});

describe('Retry-After', () => {
  it.each([
    ['2', 5_000],
    ['40', 40_000],
    ['date 60', 60_000],
    ['date -60', 5_000],
    ['soon', 5_000],
  ])('with the value "%s" delays the second attempt by %i ms', async (header, expected) => {
    const folder = await makeTempFolder();
    const clock = createManualClock();
    // HTTP dates have whole seconds.
    await clock.advance(1_000 - (clock.now() % 1_000));
    const [, seconds] = /^date (-?\d+)$/.exec(header) ?? [];
    const at = new Date(clock.now() + Number(seconds) * 1000);
    const value = seconds === undefined ? header : at.toUTCString();
    const receiver = await startReceiver(answer(503, '', { 'Retry-After': value }));
    const webhooks = await openWebhooks({
      folder,
      clock,
      subscriptions: [{ url: receiver.url, events }],
    });
    webhooks.start();
    const occurredAt = clock.now();
    await webhooks.announce(sampleEvent({ occurredAt }));
    await until(async () => {
      const [delivery] = await deliveriesOf(webhooks);
      expect(delivery?.attempts).toHaveLength(1);
      expect(Date.parse(delivery?.nextAttemptAt ?? '') - occurredAt).toBe(expected);
    });
    await clock.advance(expected - 1);
    expect(receiver.received).toHaveLength(1);
    await clock.advance(1);
    await until(() => expect(receiver.received).toHaveLength(2));
  });

  it('with more than a day delays the second attempt by an hour', async () => {
    const folder = await makeTempFolder();
    const clock = createManualClock();
    const receiver = await startReceiver(answer(503, '', { 'Retry-After': '90000' }));
    const webhooks = await openWebhooks({
      folder,
      clock,
      subscriptions: [{ url: receiver.url, events }],
    });
    webhooks.start();
    const occurredAt = clock.now();
    await webhooks.announce(sampleEvent({ occurredAt }));
    await until(async () => {
      const [delivery] = await deliveriesOf(webhooks);
      expect(Date.parse(delivery?.nextAttemptAt ?? '') - occurredAt).toBe(3_600_000);
    });
  });
});

describe('a receiver that keeps failing', () => {
  it('is reported once after 20 consecutive dropped deliveries', async () => {
    const folder = await makeTempFolder();
    const log = keepingLog();
    const receiver = await startReceiver(answer(500));
    const webhooks = await openWebhooks({
      folder,
      subscriptions: [{ url: `${receiver.url}?token=x`, events, secret: 's' }],
      changes: { delays: [0], log },
    });
    webhooks.start();
    let number = 0;
    const send = async (count: number) => {
      const ids = Array.from({ length: count }, (_, index) => String(number + index));
      number += count;
      await Promise.all(ids.map((paymentId) => webhooks.announce(sampleEvent({ paymentId }))));
      for (const id of ids) await endedOf(webhooks, id);
    };
    const reports = () =>
      log.lines.filter(({ message }) => message.includes('nothing for a long time'));
    const streak = (length: number) =>
      until(() => expect(webhooks.standings()).toMatchObject([{ droppedInARow: length }]));
    await send(19);
    await streak(19);
    expect(reports()).toHaveLength(0);
    await send(2);
    await streak(21);
    expect(reports()).toMatchObject([{ level: 'error', facts: { url: receiver.url } }]);
    expect(JSON.stringify(reports())).not.toContain('token');
    receiver.behave(answer(200));
    await send(1);
    await streak(0);
    receiver.behave(answer(500));
    await send(20);
    await streak(20);
    expect(reports()).toHaveLength(2);
  });
});

describe('an event without subscriptions', () => {
  it('is stored once and can be sent to an address', async () => {
    const folder = await makeTempFolder();
    const replays: object[] = [];
    const receiver = await startReceiver();
    const webhooks = await openWebhooks({
      folder,
      changes: {
        async onReplayed(request) {
          replays.push(request);
        },
      },
    });
    const event = sampleEvent({ organizationId });
    await Promise.all([webhooks.announce(event), webhooks.announce(event)]);
    await webhooks.announce(event);
    const [stored, ...others] = await eventsOf(webhooks);
    expect(others).toEqual([]);
    if (!stored) throw new Error('The event is not stored.');
    const { occurredAt: _, ...facts } = event;
    expect(stored).toMatchObject({ facts, occurredAt: new Date(event.occurredAt).toISOString() });
    const planned = webhooks.planTo(stored, { url: receiver.url });
    expect(await planned.replay(never)).toMatchObject({ kind: 'attempted' });
    expect(receiver.received[0]?.headers).toMatchObject({
      'x-webhook-id': stored.id,
      'x-webhook-replay': 'true',
    });
    expect(receiver.received[0]?.headers).not.toHaveProperty('x-webhook-signature');
    expect(await deliveriesOf(webhooks)).toEqual([]);
    expect(replays).toMatchObject([
      { eventId: stored.id, deliveryId: null, facts: { organizationId }, status: 200, error: null },
    ]);
  });

  it('is not stored if there is a subscription', async () => {
    const folder = await makeTempFolder();
    const receiver = await startReceiver();
    const webhooks = await openWebhooks({ folder, subscriptions: [{ url: receiver.url, events }] });
    await webhooks.announce(sampleEvent());
    expect(await eventsOf(webhooks)).toEqual([]);
    expect(await deliveriesOf(webhooks)).toHaveLength(1);
  });

  it('is removed after the retention period of delivered events', async () => {
    const folder = await makeTempFolder();
    const clock = createManualClock();
    const webhooks = await openWebhooks({ folder, clock });
    const day = 86_400_000;
    for (const days of [40, 32, 29, 0]) {
      await webhooks.announce(
        sampleEvent({ paymentId: String(days), occurredAt: clock.now() - days * day }),
      );
    }
    webhooks.start();
    await until(async () =>
      expect((await eventsOf(webhooks)).map(({ facts }) => subjectOf(facts))).toEqual(['0', '29']),
    );
  });
});

describe('the payment of a delivery', () => {
  it('is identified by organization, type and ID', async () => {
    const folder = await makeTempFolder();
    const receiver = await startReceiver(answer(500));
    const subscriptions = [{ url: receiver.url, events }];
    const webhooks = await openWebhooks({ folder, subscriptions, changes: { delays: [0] } });
    webhooks.start();
    await webhooks.announce(sampleEvent({ organizationId: 7 }));
    await webhooks.announce(sampleEvent({ organizationId: 8 }));
    await webhooks.announce(sampleEvent({ paymentId: 'old' }));
    await until(async () =>
      expect(await deliveriesOf(webhooks, { state: 'dropped' })).toHaveLength(3),
    );
    const ids = new Set(receiver.received.map(({ headers }) => headers['x-webhook-id']));
    expect(ids.size).toBe(3);
    const name = (organizationId: number, id: string) =>
      ({ organizationId, type: 'qr', id }) as const;
    const asked = [name(7, '1001'), name(9, '1001'), name(9, 'old'), name(9, 'none')];
    // Events without an organization match any.
    expect(await webhooks.undeliveredOf(asked)).toEqual([name(7, '1001'), name(9, 'old')]);
    expect(await webhooks.undeliveredOf([{ type: 'qr', id: '1001' }])).toHaveLength(1);
    const first = { type: 'qr', paymentId: 'new', organizationId } as const;
    await webhooks.stop();
    const command = await openWebhooks({ folder });
    await command.announce(sampleEvent(first));
    expect(await command.sendFirstAttempts({ ...first, organizationId: 8 }, never)).toEqual([]);
    expect(await command.sendFirstAttempts(first, never)).toHaveLength(1);
  });
});
