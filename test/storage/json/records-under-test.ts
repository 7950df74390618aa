import type { Clock } from '../../../src/base/clock.js';
import type { FileLayer } from '../../../src/base/files/file-layer.js';
import type { Finding } from '../../../src/storage/json/check/data-checker.js';
import { encodeLine } from '../../../src/storage/json/lines/lines.js';
import { recordsChecker } from '../../../src/storage/json/records/record-checker.js';
import type { RecordPlan, StateKind } from '../../../src/storage/json/records/record-file.js';
import { openRecordFolder } from '../../../src/storage/json/records/record-folder.js';
import { readRecords } from '../../../src/storage/json/records/record-transfer.js';
import { createManualClock } from '../../helpers/manual-clock.js';
import { makeTempFolder } from '../../helpers/temp-folder.js';

export interface Payment {
  readonly amount: number;
  readonly day?: string;
}
export type State = 'open' | 'ended';

/** Returns the plan of payments. A payment with a day ended on that day. */
export const planWith = (ended: StateKind): RecordPlan<Payment, State> => ({
  states: { open: 'flat', ended },
  faultOf: (record) => ('amount' in record ? undefined : 'amount is missing'),
  placeOf: ({ day }) => (day === undefined ? { state: 'open' } : { state: 'ended', day }),
});

export async function begin(
  ended: StateKind = 'by-day-and-id',
  files?: FileLayer,
  ownClock?: Clock,
) {
  const folder = await makeTempFolder();
  const clock = ownClock ?? createManualClock(Date.parse('2026-07-28T10:00:00Z'));
  const damage: string[] = [];
  const plan = planWith(ended);
  const make = (layer = files, by = clock) =>
    openRecordFolder({
      folder,
      plan,
      clock: by,
      onDamaged: ({ message }) => damage.push(message),
      ...(layer ? { files: layer } : {}),
    });
  const check = async () => {
    const findings: Finding[] = [];
    const { check } = recordsChecker('records', { '.': plan });
    await check(folder, (finding) => findings.push(finding));
    return findings;
  };
  const exported = () => all(readRecords(folder, plan));
  return { folder, damage, make, check, exported, records: await make() };
}
export type Begun = Awaited<ReturnType<typeof begin>>;

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

export const end = (record: Payment | undefined, day: string) => ({
  ...(record ? { record: { ...record, day } } : {}),
  result: undefined,
});
export const line = (value: object) => encodeLine(JSON.stringify(value));
