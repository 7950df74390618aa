// src/screens/render/assets/*.css and src/screens/page -> dist/screen-assets/assets.js: the styles and
// the script of a rendered screen as strings, so that rendering reads no files.
import { createHash } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';

/** Styles that stand outside the layer, and so win over all others. */
const unlayered = new Set(['media', 'tokens']);

export async function buildScreenAssets(root) {
  const source = `${root}/src/screens/render/assets`;
  const files = (await readdir(source)).filter((file) => file.endsWith('.css')).sort();
  const styles = {};
  for (const file of files) {
    const name = file.replace('.css', '');
    const text = await bundle(`${source}/${file}`, {});
    styles[name] = unlayered.has(name) ? text : `@layer page{${text}}`;
  }
  const scripts = {};
  for (const [name, define] of Object.entries(variants)) {
    const text = await bundle(`${root}/src/screens/page/main.ts`, { ...browser, define });
    scripts[name] = { text, hash: hashOf(text) };
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

/** The page's script with and without the parts that only some screens need. */
const variants = {
  plain: { withCharts: 'false', withExtras: 'false' },
  charts: { withCharts: 'true', withExtras: 'false' },
  extras: { withCharts: 'false', withExtras: 'true' },
  full: { withCharts: 'true', withExtras: 'true' },
};

const browser = { format: 'iife', target: ['chrome123', 'firefox125', 'safari17.5'] };

function hashOf(text) {
  return createHash('sha256').update(text).digest('base64');
}

/** Minified text without anything that could end a style or script element. */
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
  if (/<\/(style|script)|<!--/i.test(text)) throw new Error(`${entry} would end its own element.`);
  return text;
}
