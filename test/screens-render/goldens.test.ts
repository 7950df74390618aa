import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { renderScreen } from '../../src/screens/render/render-screen.js';
import { readCorpus } from './corpus.js';

// UPDATE_GOLDENS=1 npx vitest run test/screens-render/goldens.test.ts writes them anew.
const update = process.env.UPDATE_GOLDENS === '1';

/** The page without its style and script, one element a line, so that a change can be read. */
function readable(page: string): string {
  return page
    .replace(/<style>.*?<\/style>/s, '<style></style>')
    .replace(/<script>.*?<\/script>/s, '<script></script>')
    .replace(/sha256-[\w+/=]+/g, 'sha256-…')
    .replaceAll('><', '>\n<');
}

it.each(readCorpus())('draws $name as before', ({ name, definition }) => {
  const file = new URL(`goldens/${name.replace('/', '-')}.golden.html`, import.meta.url);
  const page = readable(renderScreen(definition, { locale: 'ru' }));
  if (update) writeFileSync(fileURLToPath(file), page);
  expect(page).toBe(readFileSync(file, 'utf8'));
});
