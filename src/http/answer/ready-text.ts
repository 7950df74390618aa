import type { Coding } from '../request/accept-encoding.js';
import { etagOf } from './etag.js';
import { type OpenText, openText } from './open-text.js';

/** A text that is sent many times: its bytes, its tag, and its compressed forms, each made when it is first asked for. */
export interface ReadyText {
  readonly bytes: Buffer;
  /** Strong, of the bytes as they are. */
  readonly etag: string;
  /** The text in a coding, with a tail of this one answer at its end. Who asks while it is made waits for the same work. */
  coded(coding: Coding, tail?: string): Promise<Buffer>;
}

interface Form {
  readonly open: OpenText;
  /** The form without a tail. */
  readonly whole: Buffer;
}

/** Makes a text ready to be sent. */
export function readyText(text: string): ReadyText {
  const bytes = Buffer.from(text);
  const forms = new Map<Coding, Promise<Form>>();

  async function make(coding: Coding): Promise<Form> {
    const open = await openText[coding](bytes);
    return { open, whole: coding === 'identity' ? bytes : open.finish(Buffer.alloc(0)) };
  }

  function formIn(coding: Coding): Promise<Form> {
    const known = forms.get(coding);
    if (known) return known;
    const made = make(coding);
    forms.set(coding, made);
    // The next one tries again: memory may have been short.
    made.catch(() => forms.delete(coding));
    return made;
  }

  return {
    bytes,
    etag: etagOf(bytes),
    async coded(coding, tail = '') {
      const { open, whole } = await formIn(coding);
      return tail === '' ? whole : open.finish(Buffer.from(tail));
    },
  };
}
