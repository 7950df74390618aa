import { createHash } from 'node:crypto';
import { allKinds } from '../../src/app/data-records.js';
import { createTally } from '../../src/transfer/summary.js';
import { hashOf, order, oversold, paid, pending, tea } from '../orders/order-samples.js';
import { intent, refund } from '../payments/money-samples.js';

/** A record of an export with its kind. */
export type ExportedRecord = readonly [kind: string, record: object];

export const header = {
  kind: 'msgsite-export',
  format: 1,
  program: '0.1.0',
  at: '2026-07-28T09:00:00.000Z',
  storage: 'json',
  secrets: {},
};

const createdAt = '2026-07-01T09:00:00.000Z';
const encrypted = { iv: '0'.repeat(32), encrypted: 'abcd', authTag: 'f'.repeat(32) };
const day = 86_400_000;
const at = Date.parse(header.at);
/** The running time of the deployment, in milliseconds. */
export const ranFor = 5 * day;

export const user = (id: number, email = `u${id}@x.kz`) =>
  [
    'user',
    { id, username: `U${id}`, email, passwordHash: '$2b$', avatar: null, bio: '', createdAt },
  ] as const;
export const chat = (id: number, ownerId = 1) =>
  ['chat', { id, type: 'group', name: `G${id}`, ownerId, createdAt }] as const;
export const pair = (id: number, ownerId: number, participantId: number) =>
  ['chat', { id, type: 'private', name: '', ownerId, participantId, createdAt }] as const;
export const member = (chatId: number, userId: number, marks: object = { startId: 0 }) =>
  ['member', { chatId, userId, ...marks }] as const;
export const message = (chatId: number, id: number, senderId = 1) =>
  [
    'message',
    { id, chatId, senderId, type: 'text', text: 't', encrypted, scheme: 'email', createdAt },
  ] as const;

const payment = (id: string, state: string, more: object = {}) =>
  [
    'payment',
    {
      id,
      type: 'qr',
      state,
      organizationId: 7,
      sessionId: 'abc',
      amount: 10.5,
      status: 'S',
      statusDesc: '',
      qrToken: null,
      receiptUrl: 'https://x.kz/\u0000',
      orderNumber: null,
      expiresAt: null,
      createdAt: at - day,
      ...more,
    },
  ] as const;

const delivery = (digit: string, state: string, endedAt: string | null) =>
  [
    'delivery',
    {
      id: `dlv_${digit.repeat(32)}`,
      eventId: `evt_${digit.repeat(32)}`,
      facts: {
        event: 'payment.success',
        paymentId: '1',
        type: 'qr',
        status: 'Processed',
        statusDesc: '',
        amount: 1,
        qrToken: null,
        receiptUrl: null,
        orderNumber: null,
        data: { '\u0000': ['\uf8f0', { deep: 1e21 }], type: 'x' },
      },
      subscription: { id: 's', url: 'https://x.kz' },
      state,
      occurredAt: createdAt,
      nextAttemptAt: endedAt === null ? createdAt : null,
      endedAt,
      attempts: [],
    },
  ] as const;

const audit = (number: number, more: object = {}) =>
  [
    'audit',
    {
      id: `a${number}`,
      time: at - day + number,
      kind: 'qr',
      who: '+7 (701) ***-**-67',
      amount: 10.5,
      ids: { payment: `7-qr-${number}` },
      outcome: 'success',
      ...more,
    },
  ] as const;

const storedEvent = (digit: string, occurredAt: string) => {
  const [, { facts }] = delivery(digit, 'dropped', occurredAt);
  const id = `evt_${digit.repeat(32)}`;
  return [
    'webhook-event',
    { id, facts: { ...facts, organizationId: 7, reference: 'r' }, occurredAt },
  ] as const;
};

/** Returns one size of an image. Only the header of its content is valid WebP. */
export const image = (letter: string, width: number, more: object = {}) => {
  const bytes = Buffer.from(`RIFF\0\0\0\0WEBP ${letter} ${width} \n\xff`, 'latin1');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const content = bytes.toString('base64');
  return ['image', { name: letter.repeat(32), width, sha256, content, ...more }] as const;
};

/** Records of every kind and state. */
export const everything: readonly ExportedRecord[] = [
  [
    'state',
    {
      name: 'clock',
      record: {
        ...{ ranFor: ranFor, time: at, jumps: 1 },
        hold: { cause: 'jump', since: at, from: at - day, until: ranFor + 1 },
      },
    },
  ],
  ['state', { name: 'instance', record: { id: 'a'.repeat(32) } }],
  ['site-settings', { heroTitle: 'Hi', heroSubtitle: '', theme: 'dark' }],
  [
    'shop',
    {
      name: 'N',
      phone: '+7 701 123 45 67',
      whatsapp: '',
      address: 'A \0',
      hours: 'Mo-Su 09:00-18:00',
      language: 'kk',
      map: '',
    },
  ],
  [
    'product',
    {
      id: 3,
      name: 'P',
      tagline: '',
      description: '',
      price: 4.35,
      image: '',
      features: ['f'],
      category: '',
      order: -1.5,
    },
  ],
  ['announcement', { id: 2, title: 'A', date: '2026-07-01', content: '', active: false }],
  [
    'deleted-product',
    {
      deletedAt: createdAt,
      was: {
        id: 2,
        name: 'gone \0',
        tagline: '',
        description: '',
        price: 0.1,
        image: '',
        features: ['\0', '{"json":1}'],
        category: '',
        order: 2,
      },
    },
  ],
  [
    'deleted-announcement',
    {
      deletedAt: createdAt,
      was: { id: 1, title: 'B', date: '2026-07-01', content: '', active: true },
    },
  ],
  ['site-ids', { lastProductId: 9, lastAnnouncementId: 2 }],
  image('a', 400),
  image('a', 800),
  image('a', 1600),
  image('b', 800),
  // Three orders have the same key. It belongs to the latest of them.
  ['order', order('b', { createdAt: at - 2 * day, keyHash: hashOf('key') })],
  [
    'order',
    pending(
      order('c', {
        createdAt: at - 1,
        items: [tea({ name: 'Tea \u0000' })],
        countedAs: hashOf('address'),
      }),
    ),
  ],
  ['order', order('d', { createdAt: at - 9 * day, keyHash: hashOf('jumped'), ranAt: ranFor })],
  ['order', paid(order('z', { createdAt: at - 2 * day, keyHash: hashOf('key') }))],
  ['order', oversold(paid(order('A', { createdAt: at - 1 })))],
  [
    'order',
    {
      ...paid(order('a', { createdAt: at - 1, keyHash: hashOf('key') })),
      corrected: { status: 'failed', at },
    },
  ],
  ['stock', { productId: 3, left: 0 }],
  ['stock', { productId: 10, left: 1_000_000 }],
  user(1),
  user(2, 'Ünï@x.kz'),
  ['user', { ...user(30)[1], sessions: 3, reset: { hash: 'h', expires: at + 1 } }],
  [
    'user',
    {
      ...{ ...user(31)[1], username: 'Deleted account', email: '', passwordHash: '!' },
      ...{ sessions: 1, deleted: { at: createdAt, key: 'a'.repeat(64) } },
    },
  ],
  ['revoked-token', { jti: 'a-1', expires: at + 1, from: at }],
  ['revoked-token', { jti: 'b', expires: at + 123_456_789 }],
  ['chat-ids', { lastChatId: 8 }],
  chat(1),
  pair(2, 1, 2),
  ['chat', { id: 5, type: 'channel', name: 'C', ownerId: 2, createdAt }],
  member(1, 1),
  member(1, 30, { startId: 5, readId: 12 }),
  member(1, 2, { startId: 6 }),
  member(2, 1, { startId: 0, readId: 1 }),
  member(2, 2),
  member(5, 2),
  message(1, 4),
  message(1, 8, 2),
  ['message', { ...message(2, 1)[1], text: undefined, scheme: 'secret' }],
  [
    'message-key',
    { senderId: 1, key: 'ÿ é', chatId: 1, messageId: 4, bodyHash: 'h', expires: at + 7 },
  ],
  ['message-ids', { lastMessageId: 12 }],
  [
    'cashier-session',
    {
      id: 'abc',
      tokenSN: 't',
      vtokenSecret: 'v1.x',
      organizationId: 7,
      profileId: 7,
      orgName: 'O',
      phone: '7',
      createdAt: at,
      loggedOutAt: at,
    },
  ],
  payment('10', 'open'),
  payment('10', 'open', { organizationId: 71, intentId: 'a'.repeat(24), cashier: '7' }),
  payment('9', 'open', { failingSince: at }),
  payment('5', 'ended', { outcome: 'success', endedAt: at - 2 * day }),
  payment('4', 'ended', { outcome: 'failed', endedAt: at - day }),
  payment('1', 'unknown', { endedAt: at, clientPhone: '77010000000' }),
  ['payment-answer', { name: 'aa', body: 'b', answer: { Data: [1] }, expires: at + 5 }],
  ['payment-answer', { name: 'ab', body: 'b', answer: {}, expires: at + day }],
  // Old by wall-clock time, but recent by running time.
  ['payment-answer', { name: 'ac', body: 'b', answer: {}, expires: at - 30 * day, ranAt: ranFor }],
  ['payment-intent', intent('2', { key: 'ÿ \0' })],
  ['payment-intent', intent('4', { ranAt: 1 })],
  ['payment-intent', intent('3', { state: 'adopted', operationId: '1', closedAt: at - day })],
  [
    'payment-intent',
    intent('1', { state: 'adopted', operationId: '2', closedAt: at, closedRanAt: 2 }),
  ],
  ['payment-intent', intent('5', { state: 'not_made', closedAt: at - day })],
  ['refund', refund('3', { createdAt: at - day })],
  ['refund', refund('1', { createdAt: at, outcome: 'failed', ranAt: 3 })],
  ['sandbox-sign-in', { id: 'p1', record: { phoneNumber: '77010000000' } }],
  ['sandbox-session', { id: 's1', record: { organizationId: 17 } }],
  ['sandbox-operation', { id: '77', record: { id: 77 } }],
  ['sandbox-key', { id: 'k1', record: { operationId: '77' } }],
  delivery('2', 'pending', null),
  delivery('3', 'pending', null),
  delivery('9', 'delivered', '2026-07-02T00:00:00.000Z'),
  delivery('1', 'delivered', '2026-07-03T00:00:00.000Z'),
  delivery('7', 'dropped', '2026-07-02T00:00:00.000Z'),
  storedEvent('8', '2026-07-02T00:00:00.000Z'),
  storedEvent('1', '2026-07-03T00:00:00.000Z'),
  ['webhook-receiver', { id: 'sub_1', url: 'https://x.kz', droppedInARow: 21, disabled: null }],
  [
    'webhook-receiver',
    {
      id: 'sub_2',
      url: 'https://y.kz',
      droppedInARow: 0,
      disabled: { at: '2026-07-03T00:00:00.000Z', file: 'ab' },
    },
  ],
  audit(1),
  audit(2, { kind: 'settings', who: 'admin', amount: null, ids: {}, outcome: 'failed' }),
  audit(3, { id: 'a\u0000', outcome: 'unknown' }),
  ['pending-act', { id: 'b', record: { 'odd \u0000': ['\uf8f0', { deep: 1e21 }] } }],
  ['pending-act', { id: 'c', record: {} }],
];

/** Adds the records that every export has, with `last` as the highest message ID. */
export function within(records: readonly ExportedRecord[], last = 0): ExportedRecord[] {
  return [
    ['site-settings', { heroTitle: 'Hi', heroSubtitle: '', theme: 'dark' }],
    ['site-ids', { lastProductId: 0, lastAnnouncementId: 0 }],
    ...records,
    ['message-ids', { lastMessageId: last }],
  ];
}

/** Returns the lines of an export with these records and a matching last line. */
export function linesOf(records: readonly ExportedRecord[] = everything): string[] {
  const tally = createTally(allKinds().map(({ name }) => name));
  const lines = records.map(([kind, record]) => {
    const line = JSON.stringify({ kind, record });
    tally.add(kind in tally.summary().kinds ? kind : 'user', line, record);
    return line;
  });
  return [JSON.stringify(header), ...lines, JSON.stringify({ kind: 'end', ...tally.summary() })];
}

/** Returns the text of an export. */
export function documentOf(records?: readonly ExportedRecord[]): string {
  return `${linesOf(records).join('\n')}\n`;
}
