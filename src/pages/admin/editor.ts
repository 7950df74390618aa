import { h } from '../shared/dom.ts';
import { createForm, type FormOptions } from './form.ts';
import { gone, loadFailure, skeleton, type ViewOptions } from './parts.ts';

interface EditorOptions<Values extends object> {
  title: string;
  /** the elements above the form, including the heading */
  head: readonly Node[];
  /** message if the thing cannot be loaded */
  notLoaded: string;
  /** message if it does not exist */
  missing?: string;
  read: () => Promise<Values>;
  /** returns the form; `changed` reports a change that its fields do not notice */
  form: (changed: () => void) => Omit<FormOptions<Values>, 'words' | 'values' | 'reread'>;
}

/** A view that loads one thing and edits it in a form. */
export function showEditor<Values extends object>(
  { place, words }: ViewOptions,
  { title, head, notLoaded, missing, read, form: makeForm }: EditorOptions<Values>,
) {
  const body = h('div', { 'aria-busy': 'true' }, skeleton());
  let form: ReturnType<typeof createForm> | undefined;
  place.replaceChildren(...head, body);

  const load = async () => {
    try {
      const values = await read();
      const options = makeForm(() => form?.update());
      form = createForm({ words, values, reread: read, ...options });
      body.replaceChildren(form.element);
    } catch (error) {
      body.replaceChildren(
        error.status === 404 && missing
          ? gone(missing, words)
          : loadFailure(notLoaded, error, words, load),
      );
    }
    body.setAttribute('aria-busy', 'false');
  };

  return {
    title,
    isDirty: () => form?.isDirty() ?? false,
    save: () => form?.save(),
    ready: load(),
  };
}
