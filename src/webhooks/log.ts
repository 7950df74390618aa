/** Where webhooks report what happens; pino's loggers fit. No fact given here is ever a secret. */
export interface WebhookLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
