import { h } from '../shared/dom.ts';
import { createForm } from './form.ts';
import type { ViewOptions } from './parts.ts';
import { loadFailure, skeleton } from './parts.ts';

interface RecordForm {
  title: string;
  /** what stands above the form, the heading included */
  head: readonly Node[];
  /** what is said when it cannot be loaded */
  notLoaded: string;
  /** the address that it is read at */
  readAt: string;
  /** the address that it is stored at */
  writeAt: string;
  /** what is said when it is stored */
  saved: string;
}

/**
 * A view with a form over one record, which is stored only over the version that was read.
 * @param makeForm its fields, empty
 */
export function showRecordForm(
  { place, words, records, toast }: ViewOptions,
  record: RecordForm,
  makeForm: () => Pick<Parameters<typeof createForm>[0], 'fields' | 'changed' | 'preview'>,
) {
  const { title, head, notLoaded, readAt, writeAt, saved: message } = record;
  const body = h('div', { 'aria-busy': 'true' }, skeleton());
  /** the version that is edited */
  let etag: string | undefined;
  let form: ReturnType<typeof createForm> | undefined;
  place.replaceChildren(...head, body);

  const read = async (): Promise<object> => {
    const version = await records.read<object>(readAt);
    etag = version.etag;
    return version.value;
  };

  const load = async () => {
    try {
      open(await read());
    } catch (error) {
      body.replaceChildren(loadFailure(notLoaded, error, words, load));
    }
    body.setAttribute('aria-busy', 'false');
  };

  const open = (value: object) => {
    form = createForm({
      words,
      ...makeForm(),
      values: value,
      saveLabel: words.saveChanges,
      reread: read,
      save: async (values, saved) => {
        ({ etag } = await records.write(writeAt, values, etag));
        saved();
        toast.show(message);
      },
    });
    body.replaceChildren(form.element);
  };

  return {
    title,
    isDirty: () => form?.isDirty() ?? false,
    save: () => form?.save(),
    ready: load(),
  };
}
