import { type EventName, eventNames } from '../events/event.js';

/** Describes the webhooks for an OpenAPI document. */

const words: Readonly<Record<EventName, readonly [operationId: string, summary: string]>> = {
  'payment.success': ['paymentSucceeded', 'A payment succeeded'],
  'payment.failed': ['paymentFailed', 'A payment was rejected or cancelled'],
  'payment.expired': ['paymentExpired', 'A payment expired'],
};

const description =
  'Sent to every subscription to the event. Verify the signature over the received bytes before you parse them. ' +
  'Discard duplicates by `X-Webhook-Id`. Events may arrive in any order.';

const whereSigned = 'Present if the subscription has a secret.';
const id = {
  schema: { type: 'string', pattern: '^evt_[0-9a-f]{32}$' },
  example: 'evt_3b00b9c79e25133f13953f9cb38783c5',
};

const headers = {
  'X-Webhook-Id': {
    description: "The event's ID: the same for every receiver, retry and replay.",
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
    description: 'Present if a user replayed the event.',
    always: false,
    schema: { type: 'string', const: 'true' },
  },
  'X-Webhook-Sandbox': {
    description: 'Present for sandbox payments, which move no money.',
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
    description: `${whereSigned} The same as \`X-Webhook-Id\`. Part of Standard Webhooks, like the next two headers.`,
    always: false,
    ...id,
  },
  'webhook-timestamp': {
    description: `${whereSigned} The time of sending in seconds since 1970. Reject old requests.`,
    always: false,
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '1795229305',
  },
  'webhook-signature': {
    description:
      `${whereSigned} \`v1,\` and the HMAC-SHA-256 of id, timestamp and body, joined by dots, in base64. ` +
      'One signature for each secret, separated by spaces. One of them must match.',
    always: false,
    schema: { type: 'string' },
    example: 'v1,EKemmldr7o3OeGu6NvpRc3rMF4LMT0UpwPHnIPkfkls=',
  },
} as const;

/** Every event with its request, and the schema file that contains the payload. */
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
        '2XX': 'Accepted.',
        410: 'The receiver no longer exists. Nothing is sent again, and the subscription is disabled until it changes.',
        default:
          'A failure. Redirects, broken connections and missing responses after 10 seconds are also failures. ' +
          'There are three attempts in total, with at least 5 and 30 seconds between them.',
      },
    };
  }),
} as const;
