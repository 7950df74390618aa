import { isObject } from '../../../json/pointers.js';
import { fromTiyns, toTiyns } from '../../amount.js';
import type { ProviderAnswer } from '../provider.js';
import type { ActiveFaults } from './faults-in-force.js';
import { idForms } from './ids.js';

type Change = (name: string, value: unknown) => unknown;

const idNames = new Set(['Id', 'QrOperationId']);

/** An answer with what the faults of its call make of it. */
export function faultyAnswer(answer: ProviderAnswer, faults: ActiveFaults): ProviderAnswer {
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

/** A copy with every property changed, those of objects inside included; undefined takes one away. */
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
