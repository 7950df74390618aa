// Bundles the scripts and styles of src/pages into public/, with source maps, and compresses every text file there. The
// server serves the .br and .gz files in place of the originals.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { build } from 'esbuild';
import { globSync } from 'tinyglobby';

/** The name in public/ of each source. */
const bundles = {
  'shared/style.css': 'style',
  'shop/site.css': 'site',
  'shop/order.css': 'order',
  'shop/main.ts': 'app',
  'shop/pay/buy.ts': 'buy',
  'shop/pay/order.ts': 'order',
  'admin/main.css': 'admin',
  'admin/main.ts': 'admin',
  'chat/chat.css': 'chat',
  'chat/main.js': 'chat',
  'chat/page/early.js': 'chat-early',
};

/** Minimum size of a compressed file, in bytes. Smaller files fit into one packet anyway. */
const minSize = 1024;

export async function buildPages(root) {
  const folder = `${root}/public`;
  const built = globSync('**/*.{js,css,map,br,gz}', { cwd: folder, absolute: true });
  await Promise.all(built.map((file) => rm(file)));
  for (const [source, name] of Object.entries(bundles)) {
    await build({
      entryPoints: [{ in: `${root}/src/pages/${source}`, out: name }],
      outdir: folder,
      chunkNames: 'chunks/[name]-[hash]',
      bundle: true,
      // The chat and the admin page load the texts of one language on demand.
      splitting: name === 'chat' || name === 'admin',
      format: 'esm',
      // The first browsers that support light-dark() in CSS.
      target: ['chrome123', 'firefox120', 'safari17.5'],
      external: ['*.svg'],
      charset: 'utf8',
      minify: true,
      sourcemap: true,
      logLevel: 'warning',
    });
  }
  const texts = globSync('**/*.{js,css,html,svg}', { cwd: folder, absolute: true });
  await Promise.all(texts.map(compress));
}

async function compress(file) {
  const bytes = await readFile(file);
  if (bytes.length < minSize) return;
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes));
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildPages(fileURLToPath(new URL('..', import.meta.url)));
}
