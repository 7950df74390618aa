// Bundles the command line and its packages, because Node.js starts slowly from many files.
import { build } from 'esbuild';

/**
 * Packages that remain where npm installed them: sharp is native, bcryptjs is loaded by threads from its path, and ink
 * loads React's developer tools only if DEV=true.
 */
const external = ['sharp', 'bcryptjs', 'react-devtools-core'];

const options = (root, recorder) => ({
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  mainFields: ['module', 'main'],
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
  external,
  minify: true,
  logLevel: 'warning',
  plugins: [recorder.plugin],
});

/** Packages that are CommonJS call `require`, which ES modules do not have. */
const requireInModules = `import{createRequire}from'node:module';const require=createRequire(import.meta.url);`;

/**
 * Writes dist/main.js, with chunks for what only some commands load. Entry points beside main.js are loaded by
 * `import()`; esbuild puts what several of them share into chunks. `recorder` notes the packages.
 */
export function bundleCli(root, recorder) {
  return build({
    ...options(root, recorder),
    entryPoints: { main: 'bin/main.mts' },
    outdir: 'dist',
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    splitting: true,
    banner: { js: requireInModules },
  });
}

/** Writes dist/validate-screen.cjs, the command of that name in one CommonJS file. */
export function bundleValidateScreen(root, recorder) {
  return build({
    ...options(root, recorder),
    entryPoints: { 'validate-screen': 'bin/validate-screen.mts' },
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    define: { 'import.meta.url': 'thisFile' },
    banner: {
      js: `#!/usr/bin/env node\nconst thisFile=require('node:url').pathToFileURL(__filename).href;`,
    },
    // The language server is for editors, which start it from the installed package.
    external: ['./validate-screen/language-server.js'],
    // Commander starts subcommands that are programs of their own, which msgsite does not have. Loading this module
    // takes as long as checking a small file.
    alias: { 'node:child_process': './scripts/lib/no-module.cjs' },
    legalComments: 'none',
  });
}
