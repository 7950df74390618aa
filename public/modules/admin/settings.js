import { failureNotice, h } from '../dom.js';
import { atMost } from './checks.js';
import { choiceField, longTextField, textField } from './fields.js';
import { createForm } from './form.js';
import { skeleton } from './parts.js';

/** @typedef {import('#validators/site').Settings} SiteSettings */

/**
 * The site's heading and theme, with the top of the page shown as it will look.
 *
 * @param {import('./parts.js').ViewOptions} options
 */
export function showSettings({ place, records, toast }) {
  const body = h('div', { 'aria-busy': 'true' }, skeleton());
  /** @type {string | undefined} the version that is edited */
  let etag;
  /** @type {ReturnType<typeof createForm> | undefined} */
  let form;
  place.replaceChildren(h('h1', { tabindex: '-1', text: 'Settings' }), body);

  /** @returns {Promise<SiteSettings>} */
  const read = async () => {
    const version = await records.read('/api/settings');
    etag = version.etag;
    return version.value;
  };

  const load = async () => {
    try {
      open(await read());
    } catch (error) {
      body.replaceChildren(failureNotice('The settings could not be loaded', error, load, 'h2'));
    }
    body.setAttribute('aria-busy', 'false');
  };

  /** @param {SiteSettings} settings */
  const open = (settings) => {
    const preview = createPreview();
    form = createForm({
      fields: [
        textField('heroTitle', 'Title', {
          hint: 'The name on top of the site and in the browser tab.',
          checks: [atMost(200)],
        }),
        longTextField('heroSubtitle', 'Subtitle', { rows: 3, checks: [atMost(500)] }),
        choiceField('theme', 'Theme', [
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]),
      ],
      values: settings,
      saveLabel: 'Save settings',
      changed: preview.show,
      preview: preview.element,
      reread: read,
      save: async (values, saved) => {
        ({ etag } = await records.write('/api/admin/settings', values, etag));
        saved();
        toast.show('The settings are saved; visitors see them from now on.');
      },
    });
    body.replaceChildren(form.element);
  };

  return {
    title: 'Settings',
    isDirty: () => form?.isDirty() ?? false,
    save: () => form?.save(),
    ready: load(),
  };
}

function createPreview() {
  const title = h('p', { class: 'preview-title' });
  const subtitle = h('p', { class: 'hero-subtitle' });
  const page = h(
    'div',
    { class: 'preview-page', 'data-theme': 'light' },
    h(
      'div',
      { class: 'hero' },
      h('div', { class: 'preview-hero' }, title, subtitle),
      h('div', { class: 'ornament' }),
    ),
    h(
      'div',
      { class: 'preview-rest', 'aria-hidden': 'true' },
      h('p', { class: 'preview-name', text: 'Catalogue' }),
      h(
        'div',
        { class: 'preview-blocks' },
        [1, 2, 3].map(() => h('div', { class: 'preview-block' })),
      ),
    ),
  );
  /** @param {Partial<SiteSettings>} settings */
  const show = (settings) => {
    title.textContent = settings.heroTitle?.trim() || 'Welcome';
    subtitle.textContent = settings.heroSubtitle ?? '';
    page.dataset.theme = settings.theme ?? 'light';
  };
  const element = h(
    'aside',
    { class: 'preview', 'aria-label': 'Preview' },
    h('p', { class: 'preview-label', text: 'Preview' }),
    page,
  );
  return { element, show };
}
