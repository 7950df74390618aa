import { failureNotice, h } from '../shared/dom.ts';
import { createForm } from './form.js';
import { skeleton } from './parts.js';

/**
 * @typedef {object} RecordForm
 * @property {string} title
 * @property {readonly Node[]} head what stands above the form, the heading included
 * @property {string} name of the record, in the middle of a sentence
 * @property {string} readAt the address that it is read at
 * @property {string} writeAt the address that it is stored at
 * @property {string} saveLabel
 * @property {string} saved what is said when it is stored
 */

/**
 * A view with a form over one record, which is stored only over the version that was read.
 *
 * @param {import('./parts.js').ViewOptions} options
 * @param {RecordForm} record
 * @param {() => Pick<Parameters<typeof createForm>[0], 'fields' | 'changed' | 'preview'>} makeForm its fields, empty
 */
export function showRecordForm({ place, records, toast }, record, makeForm) {
  const { title, head, name, readAt, writeAt, saveLabel, saved: told } = record;
  const body = h('div', { 'aria-busy': 'true' }, skeleton());
  /** @type {string | undefined} the version that is edited */
  let etag;
  /** @type {ReturnType<typeof createForm> | undefined} */
  let form;
  place.replaceChildren(...head, body);

  /** @returns {Promise<object>} */
  const read = async () => {
    const version = await records.read(readAt);
    etag = version.etag;
    return version.value;
  };

  const load = async () => {
    try {
      open(await read());
    } catch (error) {
      body.replaceChildren(failureNotice(`The ${name} could not be loaded`, error, load, 'h2'));
    }
    body.setAttribute('aria-busy', 'false');
  };

  /** @param {object} value */
  const open = (value) => {
    form = createForm({
      ...makeForm(),
      values: value,
      saveLabel,
      reread: read,
      save: async (values, saved) => {
        ({ etag } = await records.write(writeAt, values, etag));
        saved();
        toast.show(told);
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
