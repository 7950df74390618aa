// Which modules lie together in a file. esbuild puts those together that the same entries reach; left
// alone, it makes a file of nearly each. So commands are grouped, and what most need is reached by all.
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Commands that are one file: what they share would else be many. The others are a file each. */
const groups = ['pay', 'webhooks', 'site', 'users', 'data'];

/** Makes the registry load a whole group where it loads a command of it. */
export const groupCommands = {
  name: 'group-commands',
  setup({ onResolve, onLoad }) {
    const members = new Map(groups.map((group) => [group, []]));
    onLoad({ filter: /[\\/]commands[\\/]registry\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text.replace(/import\('\.\/([\w-]+)\/([\w/-]+)\.js'\)/g, (call, group, file) => {
        if (!members.has(group)) return call;
        const name = file.replaceAll(/\W/g, '_');
        members.get(group).push([name, file]);
        return `import('group:${group}').then((group) => group.${name})`;
      });
      return { contents, loader: 'ts' };
    });
    onResolve({ filter: /^group:/ }, ({ path, resolveDir }) => ({
      path: `${resolveDir}/${path.slice(6)}`,
      namespace: 'group',
    }));
    onLoad({ filter: /./, namespace: 'group' }, ({ path }) => {
      const group = path.split('/').at(-1);
      const lines = members.get(group).map(([name, file]) => `export * as ${name} from './${group}/${file}.js';`);
      return { contents: lines.join('\n'), resolveDir: dirname(path) };
    });
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

export function sharedFiles(root) {
  const imports = core.map((file) => `import ${JSON.stringify(`${root}/${file}`)};`).join('');
  const entries = new Set(['dynamic-import', 'entry-point']);
  return {
    name: 'shared-files',
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
