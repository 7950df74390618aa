// Writes dist/screen-assets/assets.js: the styles (src/screens/render/assets) and scripts (src/screens/page) of
// a rendered screen as strings, so that rendering reads no files.
import { createHash } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';

export async function buildScreenAssets(root) {
  const source = `${root}/src/screens/render/assets`;
  const files = (await readdir(source)).filter((file) => file.endsWith('.css')).sort();
  const styles = {};
  for (const file of files) {
    const text = await bundle(`${source}/${file}`, {});
    // The bundler does not minify the values of custom properties.
    styles[file.replace('.css', '')] = text.replace(/([:,]) /g, '$1');
  }
  shortenVariables(styles);
  const scripts = {};
  for (const [name, enabled] of variants) {
    const define = Object.fromEntries(features.map((key) => [key, String(enabled.includes(key))]));
    const text = await bundle(`${root}/src/screens/page/main.ts`, { ...browser, define });
    scripts[name] = { text, hash: hashOf(text), words: wordsIn(text) };
  }
  const previewScript = await bundle(`${root}/src/screens/page/preview/main.ts`, browser);
  const previewStyle = await bundle(`${root}/src/screens/preview/assets/preview.css`, {});
  const values = {
    styles,
    scripts,
    previewStyle,
    previewScript,
    previewScriptHash: hashOf(previewScript),
  };
  const lines = Object.entries(values).map(
    ([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`,
  );
  const folder = `${root}/dist/screen-assets`;
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}/assets.js`, lines.join(''));
}

/** Variants of the page's script, with parts that only some screens use. */
const charts = {
  plain: [],
  tips: ['withTips'],
  groups: ['withTips', 'withGroups'],
  days: ['withTips', 'withDays'],
};
const variants = Object.entries(charts).flatMap(([name, features]) => [
  [name, features],
  [`${name}+extras`, [...features, 'withExtras']],
]);
const features = ['withTips', 'withGroups', 'withDays', 'withExtras'];

const browser = { format: 'iife', target: ['chrome123', 'firefox125', 'safari17.5'] };

/** Returns the names of the texts that a script reads. It reads them only as `data.words.name`. */
function wordsIn(script) {
  return [...new Set([...script.matchAll(/\.words\.(\w+)/g)].map(([, name]) => name))];
}

/** Shortens the names of custom properties, which only these styles use. */
function shortenVariables(styles) {
  const names = new Map();
  for (const [part, text] of Object.entries(styles)) {
    styles[part] = text.replace(/--[a-z][a-z-]*/g, (name) => {
      if (!names.has(name)) names.set(name, `--${names.size.toString(36)}`);
      return names.get(name);
    });
  }
}

function hashOf(text) {
  return createHash('sha256').update(text).digest('base64');
}

/** Returns minified text. Throws if it could end a style or script element. */
async function bundle(entry, options) {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    charset: 'utf8',
    logLevel: 'warning',
    ...options,
  });
  const text = outputFiles[0].text.trim();
  if (/<\/(style|script)|<!--/i.test(text))
    throw new Error(`${entry} contains the end of a style or script element.`);
  return text;
}
