import { type Html, html, trusted } from '../../base/html.js';

/** Drawings on a 24 x 24 grid, stroked in the colour of the text. */
const drawings: Readonly<Record<string, string>> = {
  activity: '<path d="M3 12h4l3-8 4 16 3-8h4"/>',
  archive: '<path d="M3 4h18v4H3zM5 8v12h14V8M10 12h4"/>',
  bell: '<path d="M6 9a6 6 0 0 1 12 0c0 6 2.5 7.5 2.5 7.5h-17S6 15 6 9M10 20a2 2 0 0 0 4 0"/>',
  book: '<path d="M5 19V5a2 2 0 0 1 2-2h12v18H7a2 2 0 0 1 0-4h12"/>',
  box: '<path d="m12 3 8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9"/>',
  briefcase: '<path d="M3 8h18v12H3zM9 8V4h6v4M3 13h18"/>',
  building: '<path d="M5 21V3h10v18M15 9h4v12M3 21h18M8.5 7h3M8.5 11h3M8.5 15h3"/>',
  calendar: '<path d="M4 5h16v16H4zM4 10h16M8 3v4M16 3v4"/>',
  chart: '<path d="M4 20h16M7 16v-5M12 16V5M17 16V9"/>',
  chat: '<path d="M4 5h16v12H9l-5 4z"/>',
  check: '<path d="m5 12.5 4.5 4.5L19 7.5"/>',
  checklist: '<path d="m3.5 6.5 1.5 1.5 3-3M3.5 16.5l1.5 1.5 3-3M12 7h9M12 17h9"/>',
  'chevron-down': '<path d="m6 9.5 6 6 6-6"/>',
  'chevron-left': '<path d="m14.5 6-6 6 6 6"/>',
  'chevron-right': '<path d="m9.5 6 6 6-6 6"/>',
  clock: '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3.5 2"/>',
  close: '<path d="m6 6 12 12M18 6 6 18"/>',
  compare: '<path d="M8 7h12l-3-3M16 17H4l3 3"/>',
  dashboard: '<path d="M4 4h7v9H4zM15 4h5v5h-5zM15 13h5v7h-5zM4 17h7v3H4z"/>',
  database: '<path d="M4 6c0-4 16-4 16 0v12c0 4-16 4-16 0zM4 6c0 4 16 4 16 0M4 12c0 4 16 4 16 0"/>',
  download: '<path d="M12 4v11M7 11l5 5 5-5M4 20h16"/>',
  edit: '<path d="M4 20h4L19.5 8.5l-4-4L4 16zM13 7l4 4"/>',
  eye: '<path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12"/><circle cx="12" cy="12" r="2.5"/>',
  file: '<path d="M6 3h8l4 4v14H6zM14 3v5h4M9 13h6M9 17h6"/>',
  files: '<path d="M8 3h7l4 4v10H8zM15 3v4h4M8 7H5v14h10v-4"/>',
  filter: '<path d="M4 5h16l-6 8v6l-4 2v-8z"/>',
  flag: '<path d="M5 21V4M5 4h13l-2.5 4L18 12H5"/>',
  folder: '<path d="M3 6h6l2 3h10v11H3z"/>',
  gear: '<circle cx="12" cy="12" r="3"/><path d="M12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.2 2.2M16.2 16.2l2.2 2.2M5.6 18.4l2.2-2.2M16.2 7.8l2.2-2.2"/>',
  globe:
    '<circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18"/>',
  help: '<circle cx="12" cy="12" r="9"/><path d="M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .9-1 1.7M12 17v.1"/>',
  home: '<path d="m3 11 9-7 9 7M6 9v11h12V9M10 20v-6h4v6"/>',
  inbox: '<path d="M3 13h5l1.5 3h5L16 13h5M3 13l3-8h12l3 8v6H3z"/>',
  info: '<circle cx="12" cy="12" r="9"/><path d="M12 11v5.5M12 7.5v.1"/>',
  key: '<circle cx="8" cy="15" r="4.5"/><path d="m11.2 11.8 8.3-8.3M16 7l3 3"/>',
  layers: '<path d="m12 3 9 5-9 5-9-5zM3 12.5l9 5 9-5M3 16.5l9 5 9-5"/>',
  link: '<path d="M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1.5 1.5M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1.5-1.5"/>',
  list: '<path d="M8 6h13M8 12h13M8 18h13M3.5 6h.1M3.5 12h.1M3.5 18h.1"/>',
  lock: '<path d="M5 11h14v10H5zM8 11V8a4 4 0 0 1 8 0v3"/>',
  mail: '<path d="M3 5h18v14H3zM3 7l9 6 9-6"/>',
  map: '<path d="m3 6 6-2.5 6 2.5 6-2.5v14.5L15 20.5 9 18l-6 2.5zM9 3.5V18M15 6v14.5"/>',
  menu: '<path d="M4 7h16M4 12h16M4 17h16"/>',
  money: '<path d="M3 6h18v12H3zM3 10h18M7 14.5h4"/>',
  ok: '<circle cx="12" cy="12" r="9"/><path d="m8 12.5 2.8 2.8L16 9.5"/>',
  phone:
    '<path d="M5 3h4l2 5-2.5 2a12 12 0 0 0 5.5 5.5l2-2.5 5 2v4a2 2 0 0 1-2 2A17 17 0 0 1 3 5a2 2 0 0 1 2-2"/>',
  pin: '<path d="M12 21s7-6.5 7-11.5a7 7 0 0 0-14 0C5 14.5 12 21 12 21"/><circle cx="12" cy="9.5" r="2.5"/>',
  plus: '<path d="M12 5v14M5 12h14"/>',
  refresh: '<path d="M4 12a8 8 0 0 1 14-5l2 2M20 4v5h-5M20 12a8 8 0 0 1-14 5l-2-2M4 20v-5h5"/>',
  risk: '<path d="M8.3 3h7.4L21 8.3v7.4L15.7 21H8.3L3 15.7V8.3zM12 7.5v5.5M12 16.4v.1"/>',
  search: '<circle cx="11" cy="11" r="6.5"/><path d="m16 16 4.5 4.5"/>',
  send: '<path d="M4 12 20 4l-5 16-4-6.5zM11 13.5 20 4"/>',
  shield: '<path d="M12 3 4 6v6c0 5 3.5 7.5 8 9 4.5-1.5 8-4 8-9V6z"/>',
  sort: '<path d="m8 9.5 4-4 4 4M8 14.5l4 4 4-4"/>',
  sparkle:
    '<path d="M11 4c.8 4.7 2.3 6.2 7 7-4.7.8-6.2 2.3-7 7-.8-4.7-2.3-6.2-7-7 4.7-.8 6.2-2.3 7-7M18.5 3v4M16.5 5h4"/>',
  star: '<path d="m12 3.5 2.6 5.5 6 .8-4.4 4.2 1.1 6-5.3-2.9-5.3 2.9 1.1-6L3.4 9.8l6-.8z"/>',
  table: '<path d="M4 5h16v14H4zM4 10h16M4 14.5h16M10 10v9"/>',
  tag: '<path d="M4 4h8l8.5 8.5-8 8L4 12zM8.5 8.5v.1"/>',
  target: '<circle cx="12" cy="12" r="9"/><circle cx="12" cy="12" r="4.5"/><path d="M12 12v.1"/>',
  timeline:
    '<path d="M6 3v18M6 7h.1"/><circle cx="6" cy="7" r="2"/><circle cx="6" cy="16" r="2"/><path d="M11 7h9M11 16h7"/>',
  truck:
    '<path d="M3 6h11v10H3zM14 10h4l3 3v3h-7"/><circle cx="7" cy="18" r="2"/><circle cx="17" cy="18" r="2"/>',
  unknown: '<path d="M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17" stroke-dasharray="3 3"/>',
  user: '<circle cx="12" cy="8" r="4"/><path d="M4 21c0-4.5 3.5-7 8-7s8 2.5 8 7"/>',
  users:
    '<circle cx="9" cy="8" r="3.5"/><path d="M2.5 20c0-4 2.8-6 6.5-6s6.5 2 6.5 6M16 4.8a3.5 3.5 0 0 1 0 6.4M18 14.5c2.3.7 3.5 2.5 3.5 5.5"/>',
  warn: '<path d="M12 4 2.8 20h18.4zM12 10v4.5M12 17.3v.1"/>',
};

/** Aliases that authors can use, by drawing. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  briefcase: ['case'],
  chart: ['analytics', 'bar-chart', 'report', 'reports'],
  chat: ['message', 'messages'],
  checklist: ['queue', 'task', 'tasks'],
  clock: ['history'],
  compare: ['diff'],
  dashboard: ['grid', 'overview'],
  file: ['contract', 'doc', 'document', 'template'],
  files: ['docs', 'documents', 'templates'],
  gear: ['settings'],
  mail: ['email'],
  money: ['payment', 'wallet'],
  ok: ['check_circle', 'check-circle'],
  shield: ['security'],
  sparkle: ['spark', 'sparkles', 'ai'],
  table: ['registry'],
  user: ['client'],
  users: ['clients', 'people', 'team'],
  warn: ['alert', 'incident', 'warning'],
};

/** All icon names: the drawings, followed by the aliases. */
export const iconNames: readonly string[] = [
  ...Object.keys(drawings),
  ...Object.values(aliases).flat(),
];

/** Returns the drawing with a name or alias, or undefined if the name is unknown. */
export function findIcon(name: string): string | undefined {
  if (Object.hasOwn(drawings, name)) return name;
  return Object.keys(aliases).find((drawing) => aliases[drawing]?.includes(name));
}

/** Creates the sprite of a page, which contains each icon that the page uses once. */
export function createSprite() {
  const used = new Set<string>();
  return {
    /** Draws a decorative icon, hidden from assistive technology. */
    icon(name: string): Html {
      const found = findIcon(name) ?? 'unknown';
      used.add(found);
      return html`<svg class="icon" aria-hidden="true"><use href="#i-${found}"/></svg>`;
    },
    /** Draws the symbols of the icons used so far. */
    symbols(): Html {
      const symbols = [...used].sort().map((name) => `<g id="i-${name}">${drawings[name]}</g>`);
      return trusted(
        `<svg class="sprite" width="0" height="0" aria-hidden="true"><defs>${symbols.join('')}</defs></svg>`,
      );
    },
  };
}
