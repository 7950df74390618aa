// The `data` commands, which are loaded together.

export { command as check } from './check.js';
export { command as exportData } from './export.js';
export { command as importData } from './import.js';
export { command as migrate } from './migrate.js';
export { command as move } from './move.js';
