// What every start and `validate-screen` need, as scripts with V8's code cache beside them: of ES modules Node.js 20
// keeps no compiled code, and compiling these would take longer than most commands do. A cache made by another
// version of Node.js is refused by V8, and the script is then compiled as usual. The chunks that the scripts are
// made of only hand on what the scripts export, to the rest of the bundle: nothing is there twice.
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';

/** Script -> the entry that it holds, with all that this imports and no script before has. */
const scripts = { start: 'commands/run.ts', 'validate-screen': 'commands/validate-screen.ts' };

/** `metafile` is the account of the bundled command line. */
export async function bundleStart(root, { outputs }) {
  const folder = `${root}/dist/scripts`;
  await mkdir(folder, { recursive: true });
  const scriptOf = placeChunks(outputs);
  const exportsOf = (file) => outputs[`dist/${file}`].exports;
  for (const script of Object.keys(scripts)) {
    const files = Object.keys(scriptOf).filter((file) => scriptOf[file] === script);
    const code = await bundleScript(root, entryOf(script, files, exportsOf), files);
    await writeFile(`${folder}/${script}.script`, code);
    await writeFile(`${folder}/${script}.cache`, '');
  }
  for (const file of Object.keys(scriptOf)) {
    await writeFile(`${root}/dist/${file}`, handOn(file, exportsOf(file)));
  }
  const loader = await readFile(`${root}/scripts/lib/load-scripts.cjs`, 'utf8');
  const table = `const scriptOf = ${JSON.stringify(scriptOf)};`;
  await writeFile(`${folder}/load.cjs`, loader.replace('const scriptOf = {};', table));
  fillCaches(root);
}

/** Chunk of dist/ -> the script that it is to lie in. */
function placeChunks(outputs) {
  const place = {};
  const put = (path, script) => {
    const file = relative('dist', path);
    if (file in place) return;
    place[file] = script;
    for (const each of outputs[path].imports) {
      if (each.kind === 'import-statement' && !each.external) put(each.path, script);
    }
  };
  for (const [script, source] of Object.entries(scripts)) {
    put(
      Object.keys(outputs).find((path) => outputs[path].entryPoint === `entry:${source}`),
      script,
    );
  }
  return place;
}

/** Exports of each chunk, made only when somebody asks for them; and of the first script, how all begins. */
function entryOf(script, files, exportsOf) {
  const [imports, tables] = [[], []];
  for (const [index, file] of files.entries()) {
    const names = exportsOf(file);
    const local = (name) => `${name}$${index}`;
    imports.push(
      `import { ${names.map((name) => `${name} as ${local(name)}`)} } from './${file}';`,
    );
    // Without a prototype V8 makes a table of them at once, instead of a shape for each name more.
    const table = names.map((name) => `${name}: ${local(name)}`);
    tables.push(`'${file}': () => ({ __proto__: null, ${table} }),`);
  }
  if (script === 'start') imports.push(`export { launch } from '../bin/launch.mjs';`);
  return `${imports.join('\n')}\nexport const chunks = {\n${tables.join('\n')}\n};`;
}

/** One function around all of it: what it is given is in scripts/lib/load-scripts.cjs. */
async function bundleScript(root, contents, files) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents, resolveDir: `${root}/dist` },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    plugins: [onlyChunks(root, files)],
    write: false,
    logLevel: 'warning',
  });
  const code = toAscii(loadLazily(outputFiles[0].text));
  if (/\bimport\(|\bimport\.meta\b/.test(code))
    throw new Error('A script has what only modules have.');
  return `(function(module,exports,{require,importChunk,lazy}){${code}\n})`;
}

/** Leaves the chunks of other scripts to them, and chunks that are asked for later to `importChunk`. */
const onlyChunks = (root, files) => ({
  name: 'only-chunks',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
      const file = relative(`${root}/dist`, join(resolveDir, path));
      const isElsewhere = /^(chunks|commands)\//.test(file) && !files.includes(file);
      return isElsewhere ? { path: file, external: true } : undefined;
    });
    onLoad({ filter: /[\\/]dist[\\/](chunks|commands)[\\/][^\\/]+\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const later = /\bimport\("(\.\.?\/[\w./-]+)"\)/g;
      const contents = text.replace(later, (_call, name) => {
        const file = relative(`${root}/dist`, join(dirname(path), name));
        return `importChunk(${JSON.stringify(file)})`;
      });
      return { contents };
    });
  },
});

/** Has modules of Node.js loaded by their first use: many a one takes longer than a command's own code. */
function loadLazily(code) {
  const names = [];
  const declared = code.replace(
    /\b(import_\w+)=require\(("node:[\w/]+")\)/g,
    (_all, name, module) => {
      names.push(name);
      return `${name}=lazy(${module})`;
    },
  );
  const any = names.join('|');
  return declared
    .replace(new RegExp(`\\bnew (${any})\\.([\\w.]+)`, 'g'), 'new ($1().$2)')
    .replace(new RegExp(`\\b(${any})\\.`, 'g'), '$1().');
}

/** esbuild leaves a few signs in regular expressions; a script in ASCII is read without decoding. */
function toAscii(text) {
  return text.replace(
    /[^\0-\x7f]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** What is left of a chunk whose code lies in a script. */
function handOn(file, names) {
  const load = relative(dirname(file), 'scripts/load.cjs');
  return `import { chunk } from ${JSON.stringify(load)};
export const { ${names.join(', ')} } = chunk(${JSON.stringify(file)});\n`;
}

/**
 * Checks the examples, so that the caches hold the functions that a run needs. Where the examples are not (in the
 * build of an image), that fails with code 2, and the caches hold what comes before.
 */
function fillCaches(root) {
  const { NODE_OPTIONS: _none, ...env } = process.env;
  const writeCaches = `${root}/scripts/lib/write-caches.cjs`;
  const words = [`${root}/bin/msgsite.js`, 'validate-screen', 'test/screens/valid'];
  const options = { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] };
  const { status } = spawnSync(process.execPath, ['--require', writeCaches, ...words], options);
  if (status !== 0 && status !== 2) throw new Error('The examples could not be checked.');
}
