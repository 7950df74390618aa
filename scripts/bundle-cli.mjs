// Folds the command line and the packages it uses into few files, because Node.js starts slowly from many:
// dist/commands/run.js with what every start needs (bundle-start.mjs makes scripts of that), chunks for what is loaded only when it is asked for,
// and dist/check-thread.js for threads of its own.
import { build } from 'esbuild';
import {
  builtinsForCommonJs,
  keepPackages,
  oneCopyEach,
  tablesAsText,
} from './lib/fold-packages.mjs';
import { planChunks, shareChunks } from './lib/share-chunks.mjs';

/** `recorder` takes note of the packages that are folded in. */
export async function bundleCli(root, recorder) {
  const copies = oneCopyEach();
  const options = (plan) => ({
    absWorkingDir: root,
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
      builtinsForCommonJs,
      keepPackages,
      copies,
      tablesAsText,
      shareChunks(root, plan),
    ],
    metafile: true,
    logLevel: 'warning',
  });
  const { metafile } = await build({ ...options(), write: false });
  return build(options(planChunks(metafile)));
}
