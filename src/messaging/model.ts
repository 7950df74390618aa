export type ChatType = 'private' | 'group' | 'channel';
export type MessageType = 'text' | 'emoji' | 'sticker';

export interface User {
  readonly id: number;
  readonly username: string;
  /** As given at registration; it is part of the cipher key and never changes. */
  readonly email: string;
  readonly passwordHash: string;
  /** null = the default one that this service draws. */
  readonly avatar: string | null;
  readonly bio: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

export interface Chat {
  readonly id: number;
  readonly type: ChatType;
  /** Empty for a private chat, which each side sees under the other's name. */
  readonly name: string;
  readonly ownerId: number;
  /** The other side of a private chat. */
  readonly participantId?: number;
  readonly createdAt: string;
}

/** AES-256-GCM; every field in hex digits. */
export interface EncryptedText {
  readonly iv: string;
  readonly encrypted: string;
  readonly authTag: string;
}

/** Which key a message was encrypted with: derived from the e-mail alone, or with the operator's secret. */
export type CipherScheme = 'email' | 'secret';

/** A message as it is stored. */
export interface StoredMessage {
  readonly id: number;
  readonly chatId: number;
  readonly senderId: number;
  readonly type: MessageType;
  /** The clear text; absent where the scheme does not store it. */
  readonly text?: string;
  readonly encrypted: EncryptedText;
  readonly scheme: CipherScheme;
  readonly createdAt: string;
}
