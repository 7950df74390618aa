import type { Clock } from '../../../base/clock.js';
import { isObject } from '../../../json/pointers.js';
import { fromTiyns, toTiyns } from '../../amount.js';
import {
  everyOperation,
  type PaymentProvider,
  type ProviderAnswer,
  type ProviderCall,
  ProviderError,
  type ProviderInputs,
  type ProviderOperation,
  providerOperations,
} from '../provider.js';
import type { ActiveFaults, FaultsInForce } from './fault.js';
import { idForms } from './operation.js';

/** A call with its faults. */
export interface SandboxCall extends ProviderCall {
  readonly faults: ActiveFaults;
}

/** The sandbox's operations. They implement some of the faults themselves. */
export type SandboxOperations = {
  readonly [Name in ProviderOperation]: (
    input: ProviderInputs[Name],
    call: SandboxCall,
  ) => Promise<ProviderAnswer>;
};

/** A connection fault. Over HTTP, the server causes it. In process, the error describes it. */
type Disturbance = 'cut' | 'html' | 'error' | 'absent';

const messages: Readonly<Record<Disturbance, string>> = {
  cut: 'The connection to the provider was lost before it responded.',
  html: "The provider's answer is not a JSON object.",
  error: 'The provider responded with HTTP 500.',
  absent: 'The provider does not support lookup.',
};

/** The failure of a call without a valid answer, which leaves the outcome of a money request unknown. */
export class Disturbed extends ProviderError {
  readonly disturbance: Disturbance;

  constructor(disturbance: Disturbance) {
    super('failure', messages[disturbance], { isClear: disturbance === 'absent' });
    this.disturbance = disturbance;
  }
}

type AnyMethod = (input: never, call: SandboxCall) => Promise<ProviderAnswer>;

/** Creates a provider from the operations and the active faults. */
export function withFaults(
  operations: SandboxOperations & Pick<PaymentProvider, 'close'>,
  inForce: FaultsInForce,
  clock: Clock,
): PaymentProvider {
  const method = (name: ProviderOperation) => async (input: never, call: ProviderCall) => {
    const { path, session } = providerOperations[name];
    const faults = inForce.take(path);
    const work: AnyMethod = operations[name];
    await before(faults, call, clock);
    const [done] = await Promise.allSettled([work(input, { ...call, faults })]);
    await after(faults, call, clock);
    if (done.status === 'rejected') throw done.reason;
    return session ? faultyAnswer(done.value, faults) : done.value;
  };
  return { ...everyOperation(method), close: operations.close };
}

async function before(faults: ActiveFaults, { signal }: ProviderCall, clock: Clock) {
  await wait(faults.valueOf('slow'), signal, clock);
  if (faults.has('lost-before')) throw new Disturbed('cut');
  if (faults.has('error')) throw new Disturbed('error');
  if (faults.has('hang')) {
    await aborted(signal);
    throw new Disturbed('cut');
  }
}

async function after(faults: ActiveFaults, { signal }: ProviderCall, clock: Clock) {
  await wait(faults.valueOf('late'), signal, clock);
  if (faults.has('lost')) throw new Disturbed('cut');
  if (faults.has('error-after')) throw new Disturbed('error');
  if (faults.has('html')) throw new Disturbed('html');
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

async function wait(seconds: string | undefined, signal: AbortSignal, clock: Clock) {
  if (seconds !== undefined) await clock.sleep(Number(seconds) * 1000, signal);
}

type Change = (name: string, value: unknown) => unknown;

const idNames = new Set(['Id', 'QrOperationId']);

/** Returns the answer changed by the faults of its call. */
function faultyAnswer(answer: ProviderAnswer, faults: ActiveFaults): ProviderAnswer {
  let { Data } = answer;
  for (const change of changesOf(faults)) Data = changed(Data, change);
  if (faults.has('daily') && isObject(Data) && Data.DailySets) {
    Data = changed(Data, (name, value) => (name === 'Operations' ? undefined : value), 1);
  }
  const code = faults.valueOf('code');
  const StatusCode = code === undefined ? answer.StatusCode : code;
  return { ...answer, StatusCode, Data };
}

function changesOf(faults: ActiveFaults): readonly Change[] {
  const changes: Change[] = [];
  if (faults.has('wrong-id')) {
    changes.push((name, value) => (idNames.has(name) ? Number(value) + 1 : value));
    changes.push((name, value) => (name === 'Status' ? 'Processed' : value));
  }
  const status = faults.valueOf('status');
  if (status !== undefined) {
    changes.push((name, value) => (name === 'Status' && value === 'Processed' ? status : value));
  }
  const more = faults.valueOf('amount');
  if (more !== undefined) {
    const named = new Set(['Amount', 'ReturnAmount']);
    changes.push((name, value) =>
      named.has(name) ? fromTiyns(toTiyns(Number(value)) + toTiyns(Number(more))) : value,
    );
  }
  const form = idForms[faults.valueOf('id') ?? ''];
  if (form) changes.push((name, value) => (idNames.has(name) ? form(Number(value)) : value));
  return changes;
}

/** Returns a copy with all properties changed, including nested ones. A change to undefined removes the property. */
function changed(value: unknown, change: Change, levels = 10): unknown {
  if (Array.isArray(value)) return value.map((inner) => changed(inner, change, levels));
  if (!isObject(value) || levels === 0) return value;
  const properties = Object.entries(value).flatMap(([name, inner]) => {
    const next = typeof inner === 'object' ? changed(inner, change, levels - 1) : inner;
    const result = change(name, next);
    return result === undefined ? [] : [[name, result]];
  });
  return Object.fromEntries(properties);
}
