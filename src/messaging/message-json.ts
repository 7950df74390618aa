/**
 * Messages as JSON, put together from their fields: JSON.stringify takes several times as long, and a post is written twice,
 * to the disk and to its sender.
 */
import { jsonText } from '../base/json-text.js';
import type { EncryptedText, StoredMessage } from './model.js';

/** `{"iv":…,"encrypted":…,"authTag":…}` */
export function encryptedJson({ iv, encrypted, authTag }: EncryptedText): string {
  return `{"iv":${jsonText(iv)},"encrypted":${jsonText(encrypted)},"authTag":${jsonText(authTag)}}`;
}

/** A stored message with its fields in the order of exports. */
export function storedJson(message: StoredMessage): string {
  const { id, chatId, senderId, type, text, encrypted, scheme, createdAt } = message;
  const clear = text === undefined ? '' : `,"text":${jsonText(text)}`;
  return `{"id":${id},"chatId":${chatId},"senderId":${senderId},"type":"${type}"${clear},"encrypted":${encryptedJson(encrypted)},"scheme":"${scheme}","createdAt":${jsonText(createdAt)}}`;
}
