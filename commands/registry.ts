import type { Command } from './command.js';

/** A command known by name before it is loaded: help and suggestions need no more than this. */
export interface RegisteredCommand {
  /** The words that call it: `pay qr`. */
  readonly path: string;
  readonly summary: string;
  /** Loads the command's own file, and with it everything the command needs. */
  load(): Promise<{ readonly command: Command }>;
}

/** Groups of commands and what each is about. */
export const groups: Readonly<Record<string, string>> = {};

/** Every command of the program. */
export const commands: readonly RegisteredCommand[] = [
  {
    path: 'serve',
    summary: 'serve the site and the payment gateway',
    load: () => import('./serve.js'),
  },
  {
    path: 'sandbox',
    summary: 'serve the sandbox payment provider',
    load: () => import('./sandbox.js'),
  },
  {
    path: 'validate-screen',
    summary: 'check screen definitions against the screen contract',
    load: () => import('./validate-screen.js'),
  },
  {
    path: 'completion',
    summary: 'print a completion script for bash, zsh or fish',
    load: () => import('./completion.js'),
  },
];
