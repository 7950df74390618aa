import { Writable } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseExact, stringifyExact } from '../../src/json/exact-json.js';
import {
  changeLine,
  parseRecordFile,
  wholeText,
} from '../../src/storage/json/records/record-file.js';
import { createOutput } from '../../src/terminal/output.js';
import { entryOf } from '../../src/transfer/record-stream.js';
import { payloadOf } from '../../src/webhooks/delivering/request.js';
import { parseReplayList } from '../../src/webhooks/tools/replay-list.js';
import { sampleEvent } from '../webhooks/samples.js';
import { longIntegers } from './long-integers.js';

/** The text of an object that contains any JSON. */
const data = longIntegers.map((json) => `{"Data":${json}}`);
const readObject = (json: string) => parseExact(json) as Readonly<Record<string, unknown>>;

it('records in files keep all digits when they are created and changed', () => {
  fc.assert(
    fc.property(data, data, (first, second) => {
      const file =
        wholeText('a', readObject(first)) + changeLine({}, readObject(second), undefined);
      const [made = '', changed = ''] = file.split('\n');
      expect(made.startsWith(`{"id":"a","record":${first},"crc"`)).toBe(true);
      expect(changed.startsWith(`{"record":${second},"crc"`)).toBe(true);
      const { record } = parseRecordFile(Buffer.from(file), 'a.json', { faultOf: () => undefined });
      // A UTF-8 line cannot contain half of a surrogate pair, so JSON escapes it.
      expect(stringifyExact(record)).toBe(second);
    }),
  );
});

it('exports keep all digits', () => {
  fc.assert(
    fc.property(data, (json) => {
      const { line, record } = entryOf('delivery', readObject(json));
      expect(stringifyExact({ kind: 'delivery', record })).toBe(line);
      if (!/\\ud[89a-f]/.test(json)) expect(line).toBe(`{"kind":"delivery","record":${json}}`);
    }),
  );
  const { line } = entryOf('delivery', { id: 12345678901234567890n, half: '\ud800' });
  expect(line).toBe('{"kind":"delivery","record":{"id":12345678901234567890,"half":"\ufffd"}}');
});

it('webhooks and their replay lists keep all digits', () => {
  fc.assert(
    fc.property(data, (json) => {
      const { occurredAt, ...facts } = sampleEvent({ data: readObject(json) });
      const body = payloadOf({ eventId: 'evt_1', facts }, occurredAt);
      expect(body).toContain(`"data":${json},"timestamp":`);
      const { events } = parseReplayList(body, 'a list', 0);
      expect(stringifyExact(events[0]?.data)).toBe(json);
    }),
  );
});

it('the --json output of commands keeps all digits', () => {
  fc.assert(
    fc.property(data, (json) => {
      let printed = '';
      const stream = new Writable({
        decodeStrings: false,
        write(piece: string, _encoding, done) {
          printed += piece;
          done();
        },
      });
      const output = createOutput({ stdout: stream, stderr: stream, json: true, env: {} });
      output.result(readObject(json), () => '');
      expect(stringifyExact(parseExact(printed))).toBe(json);
      printed = '';
      output.line(readObject(json), () => '');
      expect(stringifyExact(parseExact(printed))).toBe(json);
    }),
  );
});
