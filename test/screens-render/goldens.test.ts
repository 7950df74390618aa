import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { renderScreen } from '../../src/screens/render/render-screen.js';
import { readCorpus } from './corpus.js';

// UPDATE_GOLDENS=1 npx vitest run test/screens-render/goldens.test.ts writes the new pages and fingerprints.
const update = process.env.UPDATE_GOLDENS === '1';

/** Pages that are stored in full. The others only have a fingerprint. */
const kept = [
  'cockpit/incidents-en',
  'dashboard/water-network-kk',
  'map/plant-sensors-en',
  'queue/contracts-ru',
  'wizard/supplier-request-ru',
];

const fingerprintsFile = new URL('goldens/fingerprints.json', import.meta.url);
const fingerprints: Record<string, string> = JSON.parse(readFileSync(fingerprintsFile, 'utf8'));
const drawn: Record<string, string> = {};

const block =
  /<(?=(?:article|aside|body|dd|details|dialog|div|dl|dt|fieldset|figure|footer|form|g|h[1-6]|head|header|label|li|link|main|meta|nav|ol|p|script|section|style|summary|table|tbody|td|template|th|thead|title|tr|ul)\b)/g;

/** Returns the page without its style and script. */
function content(page: string): string {
  return page
    .replace(/<style>.*?<\/style>/s, '<style></style>')
    .replace(/<script>.*?<\/script>/s, '<script></script>')
    .replace(/sha256-[\w+/=]+/g, 'sha256-…');
}

/** Returns the content with one block element per line and three rows per table, so that changes are readable. */
function readable(page: string): string {
  const shortened = page.replace(/<tbody.*?<\/tbody>/gs, (body) => {
    const [start = '', ...rows] = body.split(/(?=<tr\b)/);
    const rest = rows.length - 3;
    if (rest <= 0) return body;
    return `${start}${rows.slice(0, 3).join('')}<!-- ${rest} more rows --></tbody>`;
  });
  return `${shortened.replaceAll(block, '\n<').trim()}\n`;
}

it.each(readCorpus())('the page of $name matches its golden version', ({ name, definition }) => {
  const page = content(renderScreen(definition, { locale: 'ru' }));
  drawn[name] = createHash('sha256').update(page).digest('hex').slice(0, 16);
  if (kept.includes(name)) {
    const file = new URL(`goldens/${name.replace('/', '-')}.golden.html`, import.meta.url);
    if (update) writeFileSync(file, readable(page));
    expect(readable(page)).toBe(readFileSync(file, 'utf8'));
  }
  if (!update) expect(drawn[name]).toBe(fingerprints[name]);
});

afterAll(() => {
  if (update) writeFileSync(fingerprintsFile, `${JSON.stringify(drawn, null, 2)}\n`);
});
