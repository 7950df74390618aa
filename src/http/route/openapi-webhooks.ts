import { jsonContent } from './openapi-examples.js';
import { type Json, reference } from './openapi-schemas.js';

/** A request that the service makes to others, as data. */
export interface WebhookDescription {
  /** The event's name. */
  readonly name: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** Name of the payload's definition. */
  readonly body: string;
  readonly headers: Readonly<Record<string, WebhookHeader>>;
  /** What answers mean, by status: a number, `2XX` or `default`. */
  readonly answers: Readonly<Record<string, string>>;
}

export interface WebhookHeader {
  readonly description: string;
  /** Whether every request carries it. */
  readonly always: boolean;
  readonly schema: Json;
  readonly example?: string | number;
}

/** pure: the `webhooks` of an OpenAPI document. `examples` are payloads by the event's name. */
export function describeWebhooks(
  webhooks: readonly WebhookDescription[],
  tag: string,
  examples: Json,
): Json {
  return Object.fromEntries(
    webhooks.map(({ name, operationId, summary, description, body, headers, answers }) => {
      const parameters = Object.entries(headers).map(([header, { always, ...described }]) => ({
        name: header,
        in: 'header',
        required: always,
        ...described,
      }));
      const example = name in examples ? { [name]: examples[name] } : {};
      const post = {
        operationId,
        summary,
        description,
        tags: [tag],
        security: [],
        parameters,
        requestBody: { required: true, content: jsonContent(reference(body), example) },
        responses: Object.fromEntries(
          Object.entries(answers).map(([status, words]) => [status, { description: words }]),
        ),
      };
      return [name, { post }];
    }),
  );
}
