// Folds the command line and the packages it uses into few files, because Node.js starts slowly from many:
// dist/commands/run.js with what every start needs, chunks for what is loaded only when it is asked for,
// and dist/check-thread.js for threads of its own.
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { build } from 'esbuild';
import { useCheckerScript } from './bundle-checker.mjs';
import { builtinsForCommonJs, keepPackages, withoutDevelopmentTools } from './lib/fold-packages.mjs';
import { groupCommands, sharedFiles } from './lib/share-chunks.mjs';

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
    define: { 'process.env.NODE_ENV': '"production"' },
    minifySyntax: true,
    minifyWhitespace: true,
    plugins: [
      recorder.plugin,
      useCheckerScript,
      builtinsForCommonJs,
      keepPackages,
      withoutDevelopmentTools,
      groupCommands,
      sharedFiles(root),
    ],
    logLevel: 'warning',
    ...(process.env.META ? { metafile: true } : {}),
  }).then(async ({ metafile }) => metafile && (await import('node:fs')).writeFileSync(process.env.META, JSON.stringify(metafile)));
}
