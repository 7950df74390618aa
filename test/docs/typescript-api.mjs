// Loaded with `node --import` for client generators. TypeScript 7, which compiles the project, does not have a compiler
// API yet. This hook provides the API of TypeScript 6, from a package that does not install a second `tsc`.
import { register } from 'node:module';

const hook = `
const replacement = '@ts-morph/common/dist/typescript.js';
export function resolve(specifier, context, next) {
  return next(specifier === 'typescript' ? replacement : specifier, context);
}`;

register(`data:text/javascript,${encodeURIComponent(hook)}`);
