/** The log of webhooks, such as a logger of pino. It never receives secrets. */
export interface WebhookLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
