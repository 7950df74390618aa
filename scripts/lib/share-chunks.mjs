// Which modules lie together in a file of the bundle. esbuild puts those together that the same entries
// reach, entries being what is loaded only when it is asked for; left alone, it makes a file of nearly each. So
// commands are grouped, and small modules that many of them need are reached by all.
import { readFile } from 'node:fs/promises';
import { basename, relative } from 'node:path';

/** Folders of commands that are one file each: what their commands share would else be many. */
const grouped = ['pay', 'webhooks', 'site', 'users', 'data'];

/** Entries that are not made to wait for what commands on data share, `validate-screen` before all. */
const narrow =
  /^(commands\/(run|validate-screen|explain|completion)\b|commands\/validate-screen\/|src\/(screens|base|json)\/)/;

/** What everybody waits for who checks a file: only what these reach lies in the core. */
const quick = /^commands\/(run|validate-screen)\.ts$/;

/** The checker of screens, which is large. */
const heavy = 'src/screens/check/check.ts';

/** Bytes up to which a file of its own costs more to open than its text costs to read. */
const smallFile = 16_000;

/**
 * What the entries of a bundle are to share, by esbuild's account of one in which they share nothing: modules that
 * lie in small files and need nothing from larger ones. `core` is reached by all, `rest` by all but the quick ones,
 * `data` by all but the narrow ones.
 */
export function planChunks({ inputs, outputs }) {
  const needs = (path) =>
    inputs[path].imports
      .filter(({ kind, external }) => kind === 'import-statement' && !external)
      .map((each) => each.path);
  const files = Object.values(outputs);
  const shared = files.filter(({ bytes, entryPoint }) => !entryPoint && bytes < smallFile);
  const held = shared.flatMap((file) => Object.keys(file.inputs));
  const small = new Set(
    held.filter((path) => /^(commands|src|dist)\//.test(path) && path !== heavy),
  );
  for (let size = -1; size !== small.size; ) {
    size = small.size;
    for (const path of small) if (!needs(path).every((each) => small.has(each))) small.delete(path);
  }
  const reachedFrom = (isEntry) => {
    const reached = new Set();
    const reach = (path) => {
      if (reached.has(path)) return;
      reached.add(path);
      for (const each of needs(path)) reach(each);
    };
    for (const { entryPoint } of files) {
      if (entryPoint && isEntry.test(entryPoint.replace('entry:', ''))) reach(entryPoint);
    }
    return reached;
  };
  const [byQuick, byNarrow] = [reachedFrom(quick), reachedFrom(narrow)];
  return {
    core: [...small].filter((path) => byQuick.has(path)),
    rest: [...small].filter((path) => byNarrow.has(path) && !byQuick.has(path)),
    data: [...small].filter((path) => !byNarrow.has(path)),
  };
}

/** Groups the commands, and makes every entry reach what it is to share. */
export function shareChunks(root, { core, rest, data } = { core: [], rest: [], data: [] }) {
  const write = (paths) => paths.map((path) => `import ${JSON.stringify(`${root}/${path}`)};`);
  const sharedBy = (path) => {
    if (quick.test(path)) return core;
    return narrow.test(path) ? [...core, ...rest] : [...core, ...rest, ...data];
  };
  const importsFor = (path) => write(sharedBy(path)).join('');
  const entries = new Set(['dynamic-import', 'entry-point']);
  return {
    name: 'share-chunks',
    setup({ onResolve, onLoad, resolve }) {
      // An entry is a module of its own, so that what it imports first never imports the entry itself.
      onResolve({ filter: /^([./]|group:)/ }, async ({ path, pluginData, ...asked }) => {
        const { kind, resolveDir, importer } = asked;
        if (!entries.has(kind) || pluginData === 'asked') return undefined;
        const [, group] = /^group:(.+)/.exec(path) ?? [];
        if (group) return { path: `commands/${group}`, namespace: 'group' };
        const found = await resolve(path, { kind, resolveDir, importer, pluginData: 'asked' });
        const isOurs = found.namespace === 'file' && /\.tsx?$/.test(found.path);
        return isOurs ? { path: relative(root, found.path), namespace: 'entry' } : found;
      });
      onLoad({ filter: /./, namespace: 'entry' }, ({ path }) => ({
        contents: `${importsFor(path)}export * from ${JSON.stringify(`${root}/${path}`)};`,
        resolveDir: root,
      }));
      onLoad({ filter: /./, namespace: 'group' }, async ({ path }) => ({
        contents: importsFor(path) + (await exportGroup(root, basename(path))),
        resolveDir: root,
      }));
      onLoad({ filter: /[\\/]commands[\\/]registry\.ts$/ }, async ({ path }) => {
        const contents = (await readFile(path, 'utf8')).replace(call, loadFromGroup);
        return { contents, loader: 'ts' };
      });
    },
  };
}

/** How the registry loads a command of a group: `import('./pay/qr.js')`. */
const call = new RegExp(`import\\('\\./(${grouped.join('|')})/([\\w/-]+)\\.js'\\)`, 'g');

const nameOf = (file) => file.replaceAll(/\W/g, '_');

function loadFromGroup(_call, group, file) {
  return `import('group:${group}').then((loaded) => loaded.${nameOf(file)})`;
}

/** The modules of a group's commands as exports. */
async function exportGroup(root, name) {
  const registry = await readFile(`${root}/commands/registry.ts`, 'utf8');
  return [...registry.matchAll(call)]
    .filter(([, group]) => group === name)
    .map(([, , file]) => `export * as ${nameOf(file)} from './commands/${name}/${file}.js';`)
    .join('\n');
}
