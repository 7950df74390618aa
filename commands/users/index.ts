// The `users` commands, which are loaded together.

export { command as deleteAccount } from './delete.js';
export { command as list } from './list.js';
export { command as resetCode } from './reset-code.js';
export { command as show } from './show.js';
export { command as signOut } from './sign-out.js';
