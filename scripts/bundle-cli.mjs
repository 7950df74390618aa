// Folds the command line into few files, because Node.js starts slowly from many: dist/commands/run.js
// with what every start needs, chunks for what is loaded only when it is asked for, and
// dist/check-thread.js for threads of its own.
import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { build } from 'esbuild';
import { useCheckerScript } from './bundle-checker.mjs';

/** Small packages that nearly every start needs; others stay where npm put them. */
const inlined = ['commander', 'jsonc-parser'];

/** `recorder` takes note of the packages that are folded in. */
export async function bundleCli(root, recorder) {
  await build({
    entryPoints: {
      'commands/run': `${root}/commands/run.ts`,
      'check-thread': `${root}/src/screens/check/check-thread.ts`,
    },
    outdir: `${root}/dist`,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    target: 'node20',
    // tsconfig.json says so, too, but does not count for files that a plugin resolves.
    jsx: 'automatic',
    minifySyntax: true,
    minifyWhitespace: true,
    plugins: [
      recorder.plugin,
      useCheckerScript,
      builtinsForCommonJs,
      keepPackages,
      sharedCore(root),
    ],
    logLevel: 'warning',
  });
}

const keepPackages = {
  name: 'keep-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./#]/ }, ({ path, kind }) => {
      const kept = kind !== 'entry-point' && !inlined.includes(path);
      return kept ? { path, external: true } : undefined;
    });
  },
};

/**
 * commander is CommonJS: what it requires of Node.js is imported instead. It needs child_process, and
 * with it the network stack, only for subcommands that are programs of their own: that is left out.
 */
const builtinsForCommonJs = {
  name: 'builtins-for-commonjs',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path, kind }) =>
      kind === 'require-call' && isBuiltin(path) ? { path, namespace: 'builtin' } : undefined,
    );
    onResolve({ filter: /./, namespace: 'builtin' }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: path.endsWith('child_process') ? 'export {};' : `export * from '${path}';`,
    }));
  },
};

/** What most starts need; some of it only `validate-screen`, whose start is the one people wait for. */
const core = [
  'commands/max-size.ts',
  'src/base/interruption.ts',
  'src/base/clock.ts',
  'src/base/errors.ts',
  'src/terminal/colors.ts',
  'src/base/foreign-text.ts',
  'src/base/files/input-file.ts',
  'src/base/workflow-commands.ts',
  'src/screens/check/accepted.ts',
  'src/screens/check/config-file.ts',
  'src/screens/check/findings.ts',
  'src/screens/check/gather.ts',
  'src/json/pointers.ts',
  'src/screens/text/quote.ts',
  'src/screens/reporters/foreign.ts',
  'src/screens/reporters/reporter.ts',
  'src/screens/check/select-files.ts',
  'src/screens/text/suggest.ts',
];

/**
 * Folds the core into one file. esbuild puts those modules together that the same entries reach; left
 * alone, it makes a file of nearly each. So every entry, and every module that is loaded only when it
 * is asked for, is made to reach all of them.
 */
function sharedCore(root) {
  const imports = core.map((file) => `import ${JSON.stringify(`${root}/${file}`)};`).join('');
  const entries = new Set(['dynamic-import', 'entry-point']);
  return {
    name: 'shared-core',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /^[./]/ }, async ({ path, kind, resolveDir, importer, pluginData }) => {
        if (!entries.has(kind) || pluginData === 'asked') return undefined;
        const found = await resolve(path, { kind, resolveDir, importer, pluginData: 'asked' });
        return { ...found, pluginData: 'entry' };
      });
      onLoad({ filter: /\.tsx?$/ }, async ({ path, pluginData }) => {
        if (pluginData !== 'entry') return undefined;
        const contents = await readFile(path, 'utf8');
        return { contents: `${imports}${contents}`, loader: path.endsWith('x') ? 'tsx' : 'ts' };
      });
    },
  };
}
