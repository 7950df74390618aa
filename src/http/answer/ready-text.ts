import type { Coding } from '../request/accept-encoding.js';
import { etagOf } from './etag.js';
import { type OpenText, openText } from './open-text.js';

/** A text that is sent many times: its bytes, its tag, and its compressed forms, each made when it is first asked for. */
export interface ReadyText {
  readonly bytes: Buffer;
  /** Strong, of the bytes as they are. */
  readonly etag: string;
  /** The text in a coding, with a tail of this one answer at its end; undefined where that form was not made yet. */
  now(coding: Coding, tail?: string): Buffer | undefined;
  /** The same, made where it was not. Who asks while it is made waits for the same work. */
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
  const forms = new Map<Coding, Form>();
  const underWay = new Map<Coding, Promise<Form>>();

  async function make(coding: Coding): Promise<Form> {
    const open = await openText[coding](bytes);
    const whole = coding === 'identity' ? bytes : open.finish(Buffer.alloc(0));
    const form = { open, whole };
    forms.set(coding, form);
    return form;
  }

  function formIn(coding: Coding): Promise<Form> {
    const current = underWay.get(coding);
    if (current) return current;
    // Where it fails the next one tries again: memory may have been short.
    const work = make(coding).finally(() => underWay.delete(coding));
    underWay.set(coding, work);
    return work;
  }

  return {
    bytes,
    etag: etagOf(bytes),
    now(coding, tail = '') {
      if (coding === 'identity' && tail === '') return bytes;
      const form = forms.get(coding);
      return form && finish(form, tail);
    },
    coded: async (coding, tail = '') => finish(forms.get(coding) ?? (await formIn(coding)), tail),
  };
}

function finish({ open, whole }: Form, tail: string): Buffer {
  return tail === '' ? whole : open.finish(Buffer.from(tail));
}
