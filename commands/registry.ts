import type { Command, RegisteredCommand } from './command.js';
import { completeCommand } from './complete.js';
import { command as completion } from './completion.js';
import type { Registry } from './route.js';
import { command as version } from './version.js';

/** Summaries of the command groups. */
const groups: Readonly<Record<string, string>> = {
  webhooks: 'list, replay and test webhooks',
  site: 'import and export products as CSV',
  admins: 'manage access to the admin page',
  users: 'manage accounts: reset passwords, sign out, delete',
  data: 'check, export, import and move data',
  pay: 'take payments: QR codes, invoices, history, refunds',
};

// Commands that share most of their code are in one entry of the bundle.
const webhooks = () => import('./webhooks/index.js');
const servers = () => import('./servers.js');
const screens = () => import('./screens.js');
const pay = () => import('./pay/index.js');
const users = () => import('./users/index.js');
const admins = () => import('./admins/index.js');
const site = () => import('./site/index.js');
const data = () => import('./data/index.js');

/** Returns the loader for one command of an entry. */
function from<Name extends string>(load: () => Promise<Record<Name, Command>>, name: Name) {
  return async () => (await load())[name];
}

/** The summary and the loader of every command, by path. */
const table: Readonly<Record<string, readonly [string, RegisteredCommand['load']]>> = {
  serve: ['serve the site and the payment gateway', from(servers, 'serve')],
  sandbox: ['serve the sandbox payment provider', from(servers, 'sandbox')],
  'validate-screen': [
    'check screen definitions against the screen contract',
    from(screens, 'validateScreen'),
  ],
  'render-screen': ['render a screen definition as an HTML page', from(screens, 'renderScreen')],
  'preview-screen': [
    'preview a screen definition while you write it',
    from(screens, 'previewScreen'),
  ],
  'webhooks list': ['list stored webhook deliveries', from(webhooks, 'list')],
  'webhooks replay': ['send stored webhooks again', from(webhooks, 'replay')],
  'webhooks enable': ['enable a receiver that responded with 410 Gone', from(webhooks, 'enable')],
  'webhooks secret': ['generate a signing secret', from(webhooks, 'secret')],
  'webhooks trigger': ['send a sample event', from(webhooks, 'trigger')],
  'webhooks listen': ['receive, verify and print webhooks', from(webhooks, 'listen')],
  'webhooks verify': ["check a received webhook's signatures", from(webhooks, 'verify')],
  'pay login': ['sign in as a cashier with an SMS code', from(pay, 'login')],
  'pay logout': ['end the session', from(pay, 'logout')],
  'pay status': ['show who is signed in', from(pay, 'status')],
  'pay till': ['take payments for a whole shift on one screen', from(pay, 'till')],
  'pay qr': ['show a QR code for an amount and wait for the payment', from(pay, 'qr')],
  'pay invoice': [
    'send an invoice to a customer’s phone and wait for the payment',
    from(pay, 'invoice'),
  ],
  'pay invoice show': ['show an invoice', from(pay, 'invoiceShow')],
  'pay invoice cancel': ['cancel an unpaid invoice', from(pay, 'invoiceCancel')],
  'pay invoice list': ['list the latest 20 invoices', from(pay, 'invoiceList')],
  'pay invoice client': ['look up a customer by phone number', from(pay, 'invoiceClient')],
  'pay wait': ['resume waiting for a payment', from(pay, 'wait')],
  'pay payments': ['list the stored payments', from(pay, 'payments')],
  'pay history': ['list the operations of a period', from(pay, 'history')],
  'pay reconcile': ['compare the records of a day with the provider', from(pay, 'reconcile')],
  'pay adopt': [
    'adopt a payment from the provider, or close a request that was never made',
    from(pay, 'adopt'),
  ],
  'pay report': ['show the totals of a day, overall and by cashier', from(pay, 'report')],
  'pay refund': ['refund a paid operation in full or in part', from(pay, 'refund')],
  'users list': ['list the chat accounts', from(users, 'list')],
  'users show': ['show an account', from(users, 'show')],
  'users reset-code': ['generate a code to reset a password', from(users, 'resetCode')],
  'users sign-out': ['sign a user out everywhere', from(users, 'signOut')],
  'users delete': ['delete an account', from(users, 'deleteAccount')],
  'admins add': ['give a person access to the admin page', from(admins, 'add')],
  'admins list': ['list the people with access to the admin page', from(admins, 'list')],
  'admins revoke': ['revoke a person’s access', from(admins, 'revoke')],
  'admins open': ['open the admin page to everybody', from(admins, 'open')],
  'site import': ['import products from a CSV file', from(site, 'importProducts')],
  'site export': ['export the products as CSV', from(site, 'exportProducts')],
  'data export': ['export all data to a file', from(data, 'exportData')],
  'data import': ['import an export into an empty folder or database', from(data, 'importData')],
  'data move': ['move all data between JSON files and PostgreSQL', from(data, 'move')],
  'data migrate': ['upgrade the schema of a PostgreSQL database', from(data, 'migrate')],
  'data check': ['check every file of a data folder', from(data, 'check')],
  audit: [
    'show the audit log of payments and accounts',
    from(() => import('./audit.js'), 'command'),
  ],
  version: ['print the version', async () => version],
  completion: ['print a completion script for bash, zsh or fish', async () => completion],
  __complete: ['complete the last word of a command line', async () => completeCommand(registry)],
};

/** Every command of the program. The help hides commands whose names begin with `_`. */
export const commands: readonly RegisteredCommand[] = Object.entries(table).map(
  ([path, [summary, load]]) => ({ path, summary, load, hidden: path.startsWith('_') }),
);

export const registry: Registry = { commands, groups };
