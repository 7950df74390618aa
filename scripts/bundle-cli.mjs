// Bundles the command line and its packages, because Node.js starts slowly from many files.
import { rolldown } from 'rolldown';

const options = {
  platform: 'node',
  resolve: { mainFields: ['module', 'main'] },
  transform: {
    target: 'node20',
    jsx: { runtime: 'automatic' },
    define: { 'process.env.NODE_ENV': '"production"' },
  },
  // A package that koa needs uses it.
  checks: { eval: false },
};

/** Short to read for Node.js; the names of functions and classes stay, for stack traces. */
const keepNames = { function: true, class: true };
const minify = { compress: { keepNames }, mangle: { keepNames }, codegen: true };

/** Bytes below which code that several commands share is put into a file with other shared code. */
const smallestChunk = 5_000;

/**
 * Writes dist/main.js, with chunks for what only some commands load. A chunk begins at an `import()`; modules that
 * several of them share are in chunks by what shares them, small ones together. Returns the paths of the bundled files.
 */
export function bundleCli(root) {
  return write(root, 'bin/main.mts', {
    format: 'esm',
    entryFileNames: 'main.js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: {
      groups: [
        { name: 'start', tags: ['$initial'], priority: 1 },
        {
          name: 'shared',
          minShareCount: 2,
          entriesAware: true,
          entriesAwareMergeThreshold: smallestChunk,
        },
      ],
    },
  });
}

/** Writes dist/validate-screen.cjs, the command of that name in one CommonJS file. Returns as above. */
export function bundleValidateScreen(root) {
  return write(root, 'bin/validate-screen.mts', {
    format: 'cjs',
    entryFileNames: 'validate-screen.cjs',
    codeSplitting: false,
  });
}

async function write(root, input, output) {
  // sharp is native, bcryptjs is loaded by threads from its path, ink loads React's developer tools only if DEV=true,
  // and the one file of validate-screen has no language server: editors start that from the installed package.
  const external = ['sharp', 'bcryptjs', 'react-devtools-core'];
  if (output.format === 'cjs') external.push(/validate-screen\/language-server\.js$/);
  const bundle = await rolldown({ ...options, cwd: root, input, external });
  const written = await bundle.write({ dir: `${root}/dist`, minify, ...output });
  return written.output.flatMap(({ modules = {} }) => Object.keys(modules));
}
