import { type EventName, eventNames } from '../events/event.js';

/** pure: the webhooks in the words of an OpenAPI document. */

const words: Readonly<Record<EventName, readonly [operationId: string, summary: string]>> = {
  'payment.success': ['paymentSucceeded', 'A payment went through'],
  'payment.failed': ['paymentFailed', 'A payment was rejected or cancelled'],
  'payment.expired': ['paymentExpired', 'The time to pay ran out'],
};

const description =
  'Sent to every subscription that wants the event. Check a signature over the bytes as they came, ' +
  'before they are parsed; drop what came before by `X-Webhook-Id`; do not rely on order.';

const whereSigned = 'Where the subscription has a secret.';
const id = {
  schema: { type: 'string', pattern: '^evt_[0-9a-f]{32}$' },
  example: 'evt_3b00b9c79e25133f13953f9cb38783c5',
};

const headers = {
  'X-Webhook-Id': {
    description: "The event's id: the same for every receiver, retry and replay.",
    always: true,
    ...id,
  },
  'X-Webhook-Event': {
    description: 'The same as `event`.',
    always: true,
    schema: { type: 'string', enum: eventNames },
  },
  'X-Webhook-Attempt': {
    description: 'Counts from 1.',
    always: true,
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  'X-Webhook-Replay': {
    description: 'Where a person sent it again.',
    always: false,
    schema: { type: 'string', const: 'true' },
  },
  'X-Webhook-Sandbox': {
    description: 'Present for sandbox payments: no money has moved.',
    always: false,
    schema: { type: 'string', const: 'true' },
  },
  'X-Webhook-Signature': {
    description: `${whereSigned} \`sha256=\` and the HMAC-SHA-256 of the body in hex, keyed with the whole secret.`,
    always: false,
    schema: { type: 'string', pattern: '^sha256=[0-9a-f]{64}$' },
    example: 'sha256=13c313497e29cc894659c05f24aed780aac2c8af750f43a9115f56dbc676d97f',
  },
  'webhook-id': {
    description: `${whereSigned} As X-Webhook-Id; of Standard Webhooks, as the next two.`,
    always: false,
    ...id,
  },
  'webhook-timestamp': {
    description: `${whereSigned} When it was sent, in seconds since 1970. Refuse what is old.`,
    always: false,
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '1795229305',
  },
  'webhook-signature': {
    description:
      `${whereSigned} \`v1,\` and the HMAC-SHA-256 of id, timestamp and body, joined by dots, in base64. ` +
      'One for each secret, separated by spaces: one of them has to match.',
    always: false,
    schema: { type: 'string' },
    example: 'v1,EKemmldr7o3OeGu6NvpRc3rMF4LMT0UpwPHnIPkfkls=',
  },
} as const;

/** Every event with what a receiver gets, and the schema file that has its payload. */
export const webhookEvents = {
  schema: 'webhooks',
  events: eventNames.map((name) => {
    const [operationId, summary] = words[name];
    const event = { ...headers['X-Webhook-Event'], example: name };
    return {
      name,
      operationId,
      summary,
      description,
      body: 'WebhookPayload',
      headers: { ...headers, 'X-Webhook-Event': event },
      answers: {
        '2XX': 'Taken.',
        410: 'Nobody is here any more. Nothing is sent again, and the subscription is not used until it is changed.',
        default:
          'A failure, as are a redirect, a broken connection and no answer within 10 seconds: ' +
          'there are three attempts in all, with at least 5 and 30 seconds between them.',
      },
    };
  }),
} as const;
