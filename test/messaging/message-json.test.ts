import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonText } from '../../src/base/json-text.js';
import { storedJson } from '../../src/messaging/message-json.js';
import type { StoredMessage } from '../../src/messaging/model.js';
import { messageRecord } from '../../src/messaging/records.js';

const text = fc.string({ unit: 'binary' });

it('jsonText gives the same JSON as JSON.stringify for any text', () => {
  fc.assert(
    fc.property(text, (any) => {
      expect(jsonText(any)).toBe(JSON.stringify(any));
    }),
  );
  for (const any of ['', '"', '\\', '\n', '\u007f', '\u2028', '\ud800', ' !#[]~', 'сәлем 🙂']) {
    expect(jsonText(any)).toBe(JSON.stringify(any));
  }
});

it('the JSON of a stored message equals JSON.stringify of its record', () => {
  const message = fc.record({
    id: fc.nat(),
    chatId: fc.nat(),
    senderId: fc.nat(),
    type: fc.constantFrom<StoredMessage['type']>('text', 'emoji', 'sticker'),
    text: fc.option(text, { nil: undefined }),
    encrypted: fc.record({ iv: text, encrypted: text, authTag: text }),
    scheme: fc.constantFrom<StoredMessage['scheme']>('email', 'secret'),
    createdAt: text,
  });
  fc.assert(
    fc.property(message, ({ text: clear, ...fields }) => {
      const stored = clear === undefined ? fields : { ...fields, text: clear };
      expect(storedJson(stored)).toBe(JSON.stringify(messageRecord(stored)));
    }),
  );
});
