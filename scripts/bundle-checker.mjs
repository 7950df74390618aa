// The checker of screen definitions (validator, rules, normaliser) as one script with V8's code cache
// beside it: compiling it would take longer than everything else a cold `validate-screen` does. A cache
// made by another version of Node.js is refused by V8, and the script is then compiled as usual.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { build } from 'esbuild';

const source = 'src/screens/check/check.ts';

/** `recorder` takes note of the packages that are folded in. */
export async function bundleChecker(root, recorder) {
  const { outputFiles } = await build({
    plugins: [recorder.plugin],
    entryPoints: [`${root}/${source}`],
    bundle: true,
    format: 'cjs',
    mainFields: ['module', 'main'],
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    write: false,
    logLevel: 'warning',
  });
  const code = `(function(exports,module){${toAscii(outputFiles[0].text)}\n})`;
  await writeFile(`${root}/dist/checker.script`, code);
  await writeFile(`${root}/dist/checker.cache`, await makeCache(root, code));
}

/** esbuild leaves a few signs in regular expressions; a script in ASCII is read without decoding. */
function toAscii(text) {
  return text.replace(
    /[^\0-\x7f]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Runs the checker over the examples first, so that the cache holds the functions a run needs. */
async function makeCache(root, code) {
  const script = new Script(code, { filename: 'checker.script' });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, module);
  const folder = `${root}/test/screens/valid`;
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  for (const name of names.filter((file) => file.endsWith('.json'))) {
    await module.exports.checkScreen(await readFile(join(folder, name), 'utf8'), {});
  }
  return script.createCachedData();
}

/** Makes a bundle load the checker as that script, wherever it would have been bundled in. */
export const useCheckerScript = {
  name: 'use-checker-script',
  setup({ onLoad, onEnd }) {
    let replaced = false;
    onLoad({ filter: /[\\/]src[\\/]screens[\\/]check[\\/]check\.ts$/ }, () => {
      replaced = true;
      return { contents };
    });
    onEnd(() => {
      if (!replaced) throw new Error(`Nothing that is bundled imports ${source}.`);
    });
  },
};

const contents = `
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

const place = (name) => fileURLToPath(new URL('../' + name, import.meta.url));
const read = (name, encoding) => readFileSync(place(name), encoding);

function load() {
  const options = { filename: 'checker.script', cachedData: read('checker.cache') };
  const run = new Script(read('checker.script', 'latin1'), options).runInThisContext();
  const module = { exports: {} };
  run(module.exports, module);
  return module.exports;
}

export const { checkScreen } = load();
`;
