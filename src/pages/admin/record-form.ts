import { showEditor } from './editor.ts';
import type { FormOptions } from './form.ts';
import type { ViewOptions } from './parts.ts';

interface RecordForm {
  title: string;
  /** the elements above the form, including the heading */
  head: readonly Node[];
  /** message if it cannot be loaded */
  notLoaded: string;
  /** the path to read it from */
  readAt: string;
  /** the path to write it to */
  writeAt: string;
  /** message when it is stored */
  saved: string;
}

/**
 * A view with a form of one record, which is stored only if the record has not changed since it was read.
 * @param makeForm creates its fields, empty
 */
export function showRecordForm(
  view: ViewOptions,
  { title, head, notLoaded, readAt, writeAt, saved: message }: RecordForm,
  makeForm: () => Pick<FormOptions<object>, 'fields' | 'changed' | 'preview'>,
) {
  const { words, records, toast } = view;
  /** the edited version */
  let etag: string | undefined;

  return showEditor<object>(view, {
    title,
    head,
    notLoaded,
    read: async () => {
      const version = await records.read<object>(readAt);
      etag = version.etag;
      return version.value;
    },
    form: () => ({
      ...makeForm(),
      saveLabel: words.saveChanges,
      save: async (values, saved) => {
        ({ etag } = await records.write(writeAt, values, etag));
        saved();
        toast.show(message);
      },
    }),
  });
}
