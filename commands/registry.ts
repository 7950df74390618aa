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
export const groups: Readonly<Record<string, string>> = {
  webhooks: 'look at, repeat and try webhooks',
};

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
    path: 'render-screen',
    summary: 'write the page of a screen definition',
    load: () => import('./render-screen.js'),
  },
  {
    path: 'preview-screen',
    summary: 'look at a screen definition while you write it',
    load: () => import('./preview-screen.js'),
  },
  {
    path: 'webhooks list',
    summary: 'list stored webhook deliveries',
    load: () => import('./webhooks/list.js'),
  },
  {
    path: 'webhooks replay',
    summary: 'send stored webhooks again',
    load: () => import('./webhooks/replay.js'),
  },
  {
    path: 'webhooks trigger',
    summary: 'send a sample event',
    load: () => import('./webhooks/trigger.js'),
  },
  {
    path: 'webhooks listen',
    summary: 'receive, verify and print webhooks',
    load: () => import('./webhooks/listen.js'),
  },
  {
    path: 'webhooks verify',
    summary: "check a received webhook's signatures",
    load: () => import('./webhooks/verify.js'),
  },
  {
    path: 'completion',
    summary: 'print a completion script for bash, zsh or fish',
    load: () => import('./completion.js'),
  },
];
