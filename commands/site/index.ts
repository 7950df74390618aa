// The `site` commands, which are loaded together.

export { command as exportProducts } from './export.js';
export { command as importProducts } from './import.js';
