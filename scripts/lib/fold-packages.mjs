// How packages are folded into the bundle: what stays outside, and how those that are CommonJS reach Node.js.
import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { inPackage } from './notice.mjs';

/**
 * Packages that stay where npm put them: sharp is compiled, bcryptjs is run by threads that load it by its path, and
 * ink loads the developer tools of React only if they are installed and DEV=true.
 */
const kept = ['sharp', 'bcryptjs', 'react-devtools-core'];

export const keepPackages = {
  name: 'keep-packages',
  setup({ onResolve }) {
    const filter = new RegExp(`^(${kept.join('|')})$`);
    onResolve({ filter }, ({ path }) => ({ path, external: true }));
  },
};

/** Packages that are CommonJS get what Node.js has when they ask for it, and not before. */
export const builtinsForCommonJs = {
  name: 'builtins-for-commonjs',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path, kind }) => {
      if (kind !== 'require-call' || !isBuiltin(path)) return undefined;
      return { path, namespace: 'builtin' };
    });
    onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

/** One copy of a version of a package, wherever npm has put others: each would be read and prepared anew. */
export function oneCopyEach() {
  const copies = new Map();
  return {
    name: 'one-copy-each',
    setup({ onResolve, resolve }) {
      onResolve({ filter: /^[^./#]/ }, async ({ path, pluginData, ...asked }) => {
        const { kind, importer, resolveDir, namespace } = asked;
        if (pluginData === 'asked' || kind === 'entry-point' || isBuiltin(path)) return undefined;
        const options = { kind, importer, resolveDir, namespace, pluginData: 'asked' };
        const { errors, external, ...found } = await resolve(path, options);
        const [folder] = inPackage.exec(found.path) ?? [];
        if (!folder || external || errors.length > 0) return undefined;
        const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
        const version = `${manifest.name}@${manifest.version}`;
        if (!copies.has(version)) copies.set(version, folder);
        const { sideEffects, suffix } = found;
        return { path: copies.get(version) + found.path.slice(folder.length), sideEffects, suffix };
      });
    },
  };
}

/** Large tables are text until somebody asks for them: V8 reads that much faster than the code of an object. */
export const tablesAsText = {
  name: 'tables-as-text',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/].*\.json$/ }, async ({ path }) => {
      const text = JSON.stringify(JSON.parse(await readFile(path, 'utf8')));
      return { contents: `module.exports = JSON.parse(${JSON.stringify(text)});`, loader: 'js' };
    });
  },
};
