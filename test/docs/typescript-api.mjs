// For client generators, loaded with `node --import`. TypeScript 7, which compiles the project, has no compiler API
// yet. The generators get that of TypeScript 6, from a package that adds no second `tsc`.
import { register } from 'node:module';

const hook = `
const instead = '@ts-morph/common/dist/typescript.js';
export function resolve(specifier, context, next) {
  return next(specifier === 'typescript' ? instead : specifier, context);
}`;

register(`data:text/javascript,${encodeURIComponent(hook)}`);
