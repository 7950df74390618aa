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
  data: 'look after the data: check, export, import, move',
  pay: 'the cashier’s terminal: QR payments, invoices, history, refunds',
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
    path: 'pay login',
    summary: 'sign in as a cashier with an SMS code',
    load: () => import('./pay/login.js'),
  },
  {
    path: 'pay logout',
    summary: 'end the session',
    load: () => import('./pay/logout.js'),
  },
  {
    path: 'pay status',
    summary: 'say who is signed in',
    load: () => import('./pay/status.js'),
  },
  {
    path: 'pay qr',
    summary: 'show a QR code for an amount and wait until it is paid',
    load: () => import('./pay/qr.js'),
  },
  {
    path: 'pay invoice',
    summary: 'bill a client’s phone and wait until it is paid',
    load: () => import('./pay/invoice.js'),
  },
  {
    path: 'pay invoice show',
    summary: 'show an invoice',
    load: () => import('./pay/invoice/show.js'),
  },
  {
    path: 'pay invoice cancel',
    summary: 'cancel an unpaid invoice',
    load: () => import('./pay/invoice/cancel.js'),
  },
  {
    path: 'pay invoice list',
    summary: 'list the latest 20 invoices',
    load: () => import('./pay/invoice/list.js'),
  },
  {
    path: 'pay invoice client',
    summary: 'look up whose phone number it is',
    load: () => import('./pay/invoice/client.js'),
  },
  {
    path: 'pay wait',
    summary: 'go on waiting for a payment',
    load: () => import('./pay/wait.js'),
  },
  {
    path: 'pay payments',
    summary: 'list the payments made here',
    load: () => import('./pay/payments.js'),
  },
  {
    path: 'pay history',
    summary: 'list the operations of a period',
    load: () => import('./pay/history.js'),
  },
  {
    path: 'pay refund',
    summary: 'return an amount of a paid operation',
    load: () => import('./pay/refund.js'),
  },
  {
    path: 'data export',
    summary: 'write everything to a file',
    load: () => import('./data/export.js'),
  },
  {
    path: 'data import',
    summary: 'fill an empty folder or database from an export',
    load: () => import('./data/import.js'),
  },
  {
    path: 'data move',
    summary: 'move everything between JSON files and PostgreSQL',
    load: () => import('./data/move.js'),
  },
  {
    path: 'data migrate',
    summary: 'prepare a PostgreSQL database',
    load: () => import('./data/migrate.js'),
  },
  {
    path: 'data check',
    summary: 'check every file of a data folder',
    load: () => import('./data/check.js'),
  },
  {
    path: 'completion',
    summary: 'print a completion script for bash, zsh or fish',
    load: () => import('./completion.js'),
  },
];
