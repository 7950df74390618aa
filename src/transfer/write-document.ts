import type { RecordStream } from './record-stream.js';

/** Text gathered before it is handed on. */
const chunkLength = 64 * 1024;

/** The text of an export: a header, a line a record, and a last line that counts them. */
export async function* documentText(stream: RecordStream): AsyncGenerator<string> {
  let text = `${JSON.stringify(stream.header)}\n`;
  for await (const { line } of stream.entries) {
    text += `${line}\n`;
    if (text.length < chunkLength) continue;
    yield text;
    text = '';
  }
  yield `${text}${JSON.stringify({ kind: 'end', ...stream.summary() })}\n`;
}
