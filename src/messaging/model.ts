import type { Chat, Message } from '#validators/messaging-records';

/** What is stored of messaging, as the schema of an export describes it. */
export type { Chat, Message as StoredMessage, User } from '#validators/messaging-records';

export type ChatType = Chat['type'];
export type MessageType = Message['type'];
export type EncryptedText = Message['encrypted'];

/** Which key a message was encrypted with: derived from the e-mail alone, or with the operator's secret. */
export type CipherScheme = Message['scheme'];
