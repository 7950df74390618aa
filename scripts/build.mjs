// Builds the pages in public/, and dist/: validators generated from schemas/, the compiled TypeScript,
// the bundled command line with its scripts for a quick start, and NOTICE, the licences of what was folded in.
// With --action, the Action's committed file is renewed, too.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import { buildPages } from './build-pages.mjs';
import { buildScreenAssets } from './build-screen-assets.mjs';
import { buildValidators } from './build-validators.mjs';
import { bundleAction, commitAction } from './bundle-action.mjs';
import { bundleCli } from './bundle-cli.mjs';
import { bundleStart } from './bundle-start.mjs';
import { markBuilt } from './lib/build-stamp.mjs';
import { noticeOf, recordPackages } from './lib/notice.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

rmSync(`${root}/dist`, { recursive: true, force: true });
const recorder = recordPackages();
await buildValidators(root, recorder);
await buildScreenAssets(root);
await buildPages(root);
const { status } = spawnSync(
  process.execPath,
  [`${root}/node_modules/typescript/bin/tsc`, '-p', `${root}/scripts/tsconfig.build.json`],
  { stdio: 'inherit' },
);
// What the program reads beside its code.
for (const file of globSync('src/**/*.sql', { cwd: root })) {
  cpSync(`${root}/${file}`, `${root}/dist/${file}`);
}
process.exitCode = status ?? 1;
if (status === 0) {
  const { metafile } = await bundleCli(root, recorder);
  await bundleStart(root, metafile);
  writeFileSync(`${root}/dist/notice.txt`, await noticeOf(recorder.folders));
  await bundleAction(root);
  if (process.argv.includes('--action')) await commitAction(root);
  markBuilt(root);
}
