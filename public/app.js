import { createAnnouncements } from '/modules/announcements.js';
import { request } from '/modules/api.js';
import { createCatalogue } from '/modules/catalogue.js';
import { actionButton, byId, h } from '/modules/dom.js';
import { picture } from '/modules/picture.js';
import { createProductDialog } from '/modules/product-dialog.js';

/** @typedef {import('#validators/site').Product} Product */
/** @typedef {import('#validators/site').Announcement} Announcement */
/** @typedef {import('#validators/site').Settings} SiteSettings */

const catalogue = createCatalogue();
const announcements = createAnnouncements();
const dialog = createProductDialog(catalogue.find);

async function loadSettings() {
  try {
    const { data } = await request('/api/settings');
    showSettings(data);
  } catch (error) {
    showSettingsFailure(error);
  }
}

/** @param {SiteSettings} settings */
function showSettings({ heroTitle, heroSubtitle, theme }) {
  document.documentElement.dataset.theme = theme;
  rememberTheme(theme);
  const name = heroTitle.trim() || 'Welcome';
  document.title = name;
  byId('brand-name').textContent = name;
  byId('foot-name').textContent = name;
  fillHero(
    h('h1', { text: name }),
    heroSubtitle && h('p', { class: 'hero-subtitle', text: heroSubtitle }),
  );
}

/** @param {Error} error */
function showSettingsFailure(error) {
  fillHero(
    h('h1', { text: 'Welcome' }),
    h('p', { class: 'hero-subtitle', role: 'alert', text: error.message }),
    actionButton({ label: 'Try again', run: loadSettings }),
  );
}

/** @param {...(Node | string)} children */
function fillHero(...children) {
  const text = byId('hero-text');
  const news = text.querySelector('.hero-news');
  text.setAttribute('aria-busy', 'false');
  text.replaceChildren(...children.filter(Boolean), ...(news ? [news] : []));
}

/** @param {string} theme */
function rememberTheme(theme) {
  try {
    localStorage.setItem('site-theme', theme);
  } catch {
    // Storage is switched off: the next visit starts in the system's preference.
  }
}

async function loadProducts() {
  catalogue.showLoading();
  try {
    const { data } = await request('/api/products');
    catalogue.show(data);
    fillNiches(data);
    dialog.follow();
  } catch (error) {
    catalogue.showFailure(error, loadProducts);
  }
}

/**
 * The hero's three niches hold products from along the list; the first ones stand just below anyway.
 *
 * @param {readonly Product[]} products
 */
function fillNiches(products) {
  const pictured = products.filter(({ image }) => image);
  const chosen = [0.35, 0.7, 0.85]
    .flatMap((place) => pictured[Math.floor(place * pictured.length)] ?? [])
    .filter((product, index, all) => all.indexOf(product) === index);
  const niches = byId('niches');
  niches.hidden = chosen.length < 3;
  if (chosen.length === 3) {
    niches.replaceChildren(
      ...chosen.map(({ image, name }) => picture({ image, name, eager: true, className: 'niche' })),
    );
  }
}

async function loadAnnouncements() {
  announcements.showLoading();
  try {
    const { data } = await request('/api/announcements');
    announcements.show(data);
    showLatest(data[0]);
  } catch (error) {
    announcements.showFailure(error, loadAnnouncements);
  }
}

/** @param {Announcement | undefined} announcement */
function showLatest(announcement) {
  if (!announcement) return;
  const text = byId('hero-text');
  text.querySelector('.hero-news')?.remove();
  text.append(
    h('a', { class: 'hero-news', href: '#news' }, h('span', { text: 'News' }), announcement.title),
  );
}

await Promise.all([loadSettings(), loadProducts(), loadAnnouncements()]);
// The browser looked for the anchor before there was content to scroll past.
if (location.hash === '#news') byId('news').scrollIntoView();
