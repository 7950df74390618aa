import { h } from '../shared/dom.ts';
import { atMost } from './checks.js';
import { choiceField, longTextField, textField } from './fields.js';
import { showRecordForm } from './record-form.js';

/** @typedef {import('#validators/site').Settings} SiteSettings */

/**
 * The site's heading and theme, with the top of the page shown as it will look.
 *
 * @param {import('./parts.js').ViewOptions} options
 */
export function showSettings(options) {
  return showRecordForm(
    options,
    {
      title: 'Settings',
      head: [h('h1', { tabindex: '-1', text: 'Settings' })],
      name: 'settings',
      readAt: '/api/settings',
      writeAt: '/api/admin/settings',
      saveLabel: 'Save settings',
      saved: 'The settings are saved; visitors see them from now on.',
    },
    () => {
      const preview = createPreview();
      return {
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
        changed: preview.show,
        preview: preview.element,
      };
    },
  );
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
