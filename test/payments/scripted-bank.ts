import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { makeTempFolder } from '../helpers/temp-folder.js';

/** The behaviour of a bank, which a test defines. */
export interface Script {
  /** Returns `Data` of a status answer. By default, the status leaves the payment open. */
  status?(id: string, amount: number): object;
  /** Returns additional fields for the answer to a creation. */
  created?(id: string): object;
}

export interface ScriptedBank {
  /** The module's path, for the `provider` setting. */
  readonly module: string;
  /** IDs of the status requests, in order. */
  readonly asked: string[];
  /** Tokens of the sessions that the gateway has ended. */
  readonly ended: string[];
  /** The current behaviour, which a test can replace. */
  script: Script;
}

/** The banks in this process by name. The provider module uses it to find its bank. */
const banks: Record<string, ScriptedBank> = {};
Object.assign(globalThis, { scriptedBanks: banks });

/** Opens a provider module with scripted answers. Each phone is its own organization. */
export async function openScriptedBank(script: Script = {}): Promise<ScriptedBank> {
  const module = join(await makeTempFolder(), 'bank.mjs');
  await writeFile(module, source(module));
  const bank: ScriptedBank = { module, asked: [], ended: [], script };
  banks[module] = bank;
  onTestFinished(() => void delete banks[module]);
  return bank;
}

const source = (name: string) => `
const bank = () => globalThis.scriptedBanks[${JSON.stringify(name)}];
const done = (Data) => ({ StatusCode: 0, Data });
const nothing = async () => done({});
const amounts = new Map();
const phones = new Map();
const ended = new Set();
let last = 1000;

function check({ tokenSN }) {
  if (ended.has(tokenSN)) throw Object.assign(new Error('The session has ended.'), { kind: 'session_ended' });
}

function create(session, amount, idName) {
  check(session);
  const id = ++last;
  amounts.set(String(id), amount);
  return done({ [idName]: id, Amount: amount, ...bank().script.created?.(String(id)) });
}

async function status(session, id) {
  check(session);
  bank().asked.push(id);
  const pending = { Status: 'QrTokenCreated' };
  return done(bank().script.status?.(id, amounts.get(id)) ?? pending);
}

export default function createProvider() {
  let processes = 0;
  return {
    startSignIn: async () => ({ processId: 'p' + ++processes, view: 'EnterPhoneNumber', body: {} }),
    async sendPhone({ processId, phoneNumber }) {
      phones.set(processId, phoneNumber);
      return { processId, view: 'EnterOtp', desc: '', body: {} };
    },
    verifyOtp: async ({ processId }) => ({
      step: 'finished', message: '', tokenSN: 'token-' + processId + '-' + ++last, vtokenSecret: 's',
      profileId: 1, organizationId: Number(phones.get(processId).slice(-6)), orgName: '',
      phone: phones.get(processId), organizations: [],
    }),
    createQr: async ({ session, amount }) =>
      create(session, amount, 'QrOperationId'),
    createInvoice: async ({ session, amount }) => create(session, amount, 'Id'),
    qrStatus: async ({ session, qrOperationId }) => status(session, qrOperationId),
    invoiceDetails: async ({ session, operationId }) => status(session, operationId),
    async endSession({ session }) {
      ended.add(session.tokenSN);
      bank().ended.push(session.tokenSN);
      return done({});
    },
    checkSession: nothing, findClient: nothing, cancelInvoice: nothing, invoiceHistory: nothing,
    operations: nothing, operationDetails: nothing, refund: nothing, close: async () => {},
  };
}
`;
