import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { auditChecker } from '../../src/audit/store-json/checker.js';
import { type JsonAuditOptions, openJsonAuditStore } from '../../src/audit/store-json/open.js';
import type { Finding, RepairStep } from '../../src/storage/json/check/data-checker.js';
import { createFaultyFiles } from '../faults/faulty-files.js';
import { createManualClock } from '../helpers/manual-clock.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { killOwner } from './dead-owner.js';
import { act, auditLine } from './samples.js';
import { concluding, linesOf } from './store-contract.js';

async function prepare(options: Partial<JsonAuditOptions> = {}) {
  const data = await makeTempFolder();
  const folder = join(data, 'audit');
  const clock = createManualClock();
  const open = (more: Partial<JsonAuditOptions> = {}) => {
    const store = openJsonAuditStore({ folder, clock, label: 'here', ...options, ...more });
    onTestFinished(() => store.close().catch(() => {}));
    return store;
  };
  return { data, folder, clock, open };
}

/** Returns the path of a segment of the first lane. */
const segment = (folder: string, number: number) => join(folder, '1', `audit.${number}.jsonl`);

const syncs = (files: ReturnType<typeof createFaultyFiles>) =>
  files.uses.filter(({ step }) => step === 'sync' || step === 'datasync').length;

async function findingsIn(data: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  await auditChecker.check(data, (finding) => findings.push(finding));
  return findings;
}

async function repair(data: string): Promise<RepairStep[]> {
  const steps: RepairStep[] = [];
  const clock = createManualClock();
  await auditChecker.repair(data, { clock, tell: (step) => steps.push(step) });
  return steps;
}

/** Changes a byte of the first line that contains a text. Returns the line number. */
async function damage(path: string, text: string): Promise<number> {
  const bytes = await readFile(path);
  const at = bytes.indexOf(text);
  expect(at).toBeGreaterThanOrEqual(0);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(path, bytes);
  return bytes.subarray(0, at).toString('latin1').split('\n').length;
}

describe('the number of fsyncs for audited actions', () => {
  it('is one for the start and one for the end of an action', async () => {
    const files = createFaultyFiles();
    const { open } = await prepare({ files });
    const store = open();
    await store.add(auditLine(0));
    for (const number of [1, 2, 3]) {
      const before = syncs(files);
      await store.begin(act(`a${number}`));
      expect(syncs(files) - before).toBe(1);
      await store.end(act(`a${number}`), auditLine(number));
      expect(syncs(files) - before).toBe(2);
    }
    await store.close();
    expect(files.openFiles).toBe(0);
  });

  it('is shared by concurrent actions', async () => {
    const files = createFaultyFiles();
    const { open } = await prepare({ files });
    const store = open();
    await store.add(auditLine(0));
    const before = syncs(files);
    const hundred = Array.from({ length: 100 }, (_, number) => number);
    await Promise.all(hundred.map((number) => store.begin(act(`a${number}`))));
    expect(syncs(files) - before).toBe(1);
    await Promise.all(hundred.map((number) => store.end(act(`a${number}`), auditLine(number))));
    expect(syncs(files) - before).toBe(2);
    await store.close();
  });

  it('is zero before the first action, and no folder is created', async () => {
    const { data, open } = await prepare();
    const store = open();
    expect(await linesOf(store)).toEqual([]);
    await store.recover(concluding().conclude);
    await store.removeBefore(Number.MAX_SAFE_INTEGER);
    await store.close();
    expect(await readdir(data)).toEqual([]);
  });
});

describe('audit lanes', () => {
  it('are created for each writing process, and reused after it has exited', async () => {
    const { folder, open } = await prepare();
    const [one, two] = [open(), open()];
    await one.add(auditLine(1));
    await two.add(auditLine(2));
    expect((await readdir(folder)).sort()).toEqual(['1', '2', 'owners']);
    await one.close();
    const three = open();
    await three.add(auditLine(3));
    expect((await readdir(folder)).sort()).toEqual(['1', '2', 'owners']);
    expect(await linesOf(three)).toEqual([1, 2, 3].map((number) => auditLine(number)));
    await Promise.all([two.close(), three.close()]);
    expect(await readdir(join(folder, 'owners'))).toEqual([]);
  });

  it('are read only in part when they are opened', async () => {
    const { folder, open } = await prepare({ segmentLength: 2_000 });
    const store = open();
    for (let number = 0; number < 200; number += 1) await store.add(auditLine(number));
    await store.close();
    const names = (await readdir(join(folder, '1'))).filter((name) => name.endsWith('.jsonl'));
    expect(names.length).toBeGreaterThan(10);
    const files = createFaultyFiles();
    const again = open({ files });
    await again.begin(act('a'));
    const read = (uses: typeof files.uses) =>
      new Set(
        uses
          .filter(({ step, path }) => step === 'read' && path.endsWith('.jsonl'))
          .map((use) => use.path),
      );
    expect(read(files.uses)).toEqual(new Set([segment(folder, names.length)]));
    await killOwner(folder, 'here');
    const later = createFaultyFiles();
    await open({ files: later, label: 'later' }).recover(concluding().conclude);
    expect(read(later.uses).size).toBeLessThanOrEqual(2);
  });

  it('carry pending actions over from segment to segment', async () => {
    const { folder, open } = await prepare({ segmentLength: 1_000 });
    const store = open();
    await store.begin(act('ended'));
    await store.begin(act('left'));
    for (let number = 0; number < 20; number += 1) await store.add(auditLine(number));
    await store.end(act('ended'), auditLine(20));
    for (let number = 21; number < 40; number += 1) await store.add(auditLine(number));
    await killOwner(folder, 'here');
    const { recovered, conclude } = concluding();
    const other = open({ label: 'there' });
    await other.recover(conclude);
    expect(recovered).toEqual([act('left')]);
    expect(await linesOf(other)).toHaveLength(41);
    await other.close();
  });

  it('return the entries of a period without reading other segments', async () => {
    const { folder, open } = await prepare({ segmentLength: 2_000 });
    const store = open();
    for (let number = 0; number < 100; number += 1) await store.add(auditLine(number));
    await store.close();
    await damage(segment(folder, 1), 'line-000000');
    await damage(segment(folder, 2), '"time"');
    const damages: Finding[] = [];
    const reader = open({ onDamage: (finding) => damages.push(finding) });
    const lines = await linesOf(reader, { since: auditLine(90).time, until: auditLine(95).time });
    expect(lines).toEqual([90, 91, 92, 93, 94].map((number) => auditLine(number)));
    expect(damages).toEqual([]);
    expect((await linesOf(reader)).length).toBe(98);
    expect(damages).toHaveLength(2);
  });

  it('return entries in order across segments even if the clock was set back', async () => {
    const { open } = await prepare({ segmentLength: 1_000 });
    const store = open();
    const numbers = Array.from({ length: 60 }, (_, number) => (number * 37) % 60);
    for (const number of numbers) await store.add(auditLine(number));
    const sorted = [...numbers].sort((a, b) => a - b).map((number) => auditLine(number));
    expect(await linesOf(store)).toEqual(sorted);
    await store.close();
  });

  it('are taken over when the lease of a process on another machine expires', async () => {
    const { folder, clock, open } = await prepare();
    const store = open();
    await store.begin(act('a'));
    const path = join(folder, 'owners', '1.json');
    const owner = JSON.parse(await readFile(path, 'utf8'));
    // Make the owner appear to be a process on another machine.
    const elsewhere = { ...owner, process: { ...owner.process, host: 'elsewhere' } };
    await writeFile(path, JSON.stringify(elsewhere));
    const other = open({ label: 'there' });
    const { recovered, conclude } = concluding();
    await other.recover(conclude);
    expect(recovered).toEqual([]);
    await writeFile(path, JSON.stringify({ ...elsewhere, expires: clock.now() - 1 }));
    await other.recover(conclude);
    expect(recovered).toEqual([act('a')]);
    await other.add(auditLine(7));
    await clock.advance(60_000);
    await store.end(act('a'), auditLine(8));
    expect((await readdir(folder)).sort()).toEqual(['1', '2', 'owners']);
    expect((await linesOf(other)).map(({ id }) => id)).toEqual([
      'after a',
      'line-000007',
      'line-000008',
    ]);
    await Promise.all([store.close(), other.close()]);
  });
});

describe('a disk failure in the audit log', () => {
  it('fails the call, and the write is retried so that no action remains pending', async () => {
    const files = createFaultyFiles();
    const { clock, open } = await prepare({ files });
    const store = open();
    await store.begin(act('a'));
    files.fault = ({ step, path }) =>
      step === 'write' && path.endsWith('.jsonl') ? 'ENOSPC' : undefined;
    await expect(store.begin(act('b'))).rejects.toMatchObject({ code: 'storage_unavailable' });
    const ending = store.end(act('a'), auditLine(1));
    await expect(ending).rejects.toMatchObject({ code: 'storage_unavailable' });
    files.fault = () => undefined;
    await clock.advance(5_000);
    await expect.poll(() => linesOf(store)).toEqual([auditLine(1)]);
    await store.close();
    const { recovered, conclude } = concluding();
    const other = open();
    await other.recover(conclude);
    expect(recovered).toEqual([]);
    await other.close();
  });

  it('does not fail any action if it only prevents a new segment', async () => {
    const failures: unknown[] = [];
    const files = createFaultyFiles();
    const { folder, open } = await prepare({
      files,
      segmentLength: 500,
      onBackgroundFailure: (error) => failures.push(error),
    });
    const store = open();
    await store.begin(act('a'));
    files.fault = ({ step, path }) =>
      step === 'open' && path === segment(folder, 2) ? 'ENOSPC' : undefined;
    for (let number = 0; number < 5; number += 1) await store.add(auditLine(number));
    await expect.poll(() => failures.length).toBeGreaterThan(0);
    files.fault = () => undefined;
    for (let number = 5; number < 10; number += 1) await store.add(auditLine(number));
    await store.end(act('a'), auditLine(10));
    await store.close();
    expect(await linesOf(store)).toHaveLength(11);
    expect(await readdir(join(folder, '1'))).toContain('audit.2.jsonl');
  });
});

describe('damage to the audit log', () => {
  async function filled() {
    const prepared = await prepare({ segmentLength: 600 });
    const store = prepared.open();
    await store.begin(act('open'));
    for (let number = 0; number < 20; number += 1) await store.add(auditLine(number));
    const segments = (await readdir(join(prepared.folder, '1'))).filter((name) =>
      name.endsWith('.jsonl'),
    );
    expect(segments.length).toBeGreaterThan(3);
    await killOwner(prepared.folder, 'here');
    return { ...prepared, segments: segments.length };
  }

  /** Returns what remains after damage, before and after the repair. */
  async function outcome({ data, open }: Awaited<ReturnType<typeof filled>>) {
    const before = (await linesOf(open())).length;
    const findings = await findingsIn(data);
    const steps = await repair(data);
    expect((await findingsIn(data)).filter(({ severity }) => severity === 'error')).toEqual([]);
    const after = open({ label: 'after' });
    const { recovered, conclude } = concluding();
    await after.recover(conclude);
    await after.add(auditLine(50));
    const lines = await linesOf(after);
    await after.close();
    expect(await findingsIn(data)).toEqual([]);
    return { findings, steps, before, after: lines.length - recovered.length - 1, recovered };
  }

  it('to a line loses only that line, which is set aside', async () => {
    const used = await filled();
    const path = segment(used.folder, 2);
    const line = await damage(path, '"kind"');
    const { findings, steps, before, after, recovered } = await outcome(used);
    expect(findings).toMatchObject([{ severity: 'error', file: path, line }]);
    expect(steps).toMatchObject([{ file: path, line }]);
    expect([before, after]).toEqual([19, 19]);
    expect(recovered).toEqual([act('open')]);
    const kept = await readFile(
      join(used.data, 'damaged', 'audit', '1', 'audit.2.jsonl.1'),
      'utf8',
    );
    expect(kept).toMatch(/"id":"line-0000\d\d"/);
  });

  it('to the first line of a segment loses nothing', async () => {
    const used = await filled();
    const path = segment(used.folder, used.segments);
    await damage(path, '"open"');
    const { findings, before, after, recovered } = await outcome(used);
    expect(findings).toMatchObject([{ severity: 'error', file: path, line: 1 }]);
    expect([before, after]).toEqual([20, 20]);
    expect(recovered).toEqual([act('open')]);
  });

  it('that splits a line into two loses only that line', async () => {
    const used = await filled();
    const path = segment(used.folder, 2);
    const text = await readFile(path, 'latin1');
    const at = text.indexOf('"kind"');
    await writeFile(path, `${text.slice(0, at)}\n${text.slice(at + 1)}`, 'latin1');
    const { findings, before, after } = await outcome(used);
    expect(findings).toHaveLength(2);
    expect([before, after]).toEqual([19, 19]);
  });

  it('to a page loses only the lines on it', async () => {
    const used = await filled();
    const path = segment(used.folder, 2);
    const bytes = await readFile(path);
    bytes.fill(0, 0, bytes.length - 20);
    await writeFile(path, bytes);
    const { before, after, recovered } = await outcome(used);
    expect(before).toBeLessThan(20);
    expect(after).toBe(before);
    expect(recovered).toEqual([act('open')]);
  });

  it('that truncates one segment and removes another loses only their lines', async () => {
    const used = await filled();
    const path = segment(used.folder, 2);
    await truncate(path, (await stat(path)).size - 100);
    await rm(segment(used.folder, 3));
    const { findings, before, after, recovered } = await outcome(used);
    expect(findings.map(({ file }) => file)).toContain(segment(used.folder, 3));
    expect(before).toBeLessThan(19);
    expect(after).toBe(before);
    expect(recovered).toEqual([act('open')]);
  });

  it('is not reported for an incomplete last line', async () => {
    const used = await filled();
    const path = segment(used.folder, used.segments);
    const text = await readFile(path, 'latin1');
    await writeFile(path, `${text}{"line":{"id":"torn"`, 'latin1');
    const { findings, steps, after } = await outcome(used);
    expect(findings.map(({ severity }) => severity)).toEqual(['note']);
    expect(steps).toEqual([]);
    expect(after).toBe(20);
  });
});

/** Starts a process that starts an action and keeps its lane. */
async function startBeginner(folder: string, id: string) {
  const built = fileURLToPath(new URL('../../dist/src/', import.meta.url));
  const script = `
    const { openJsonAuditStore } = await import(${JSON.stringify(`${built}audit/store-json/open.js`)});
    const { systemClock: clock } = await import(${JSON.stringify(`${built}base/clock.js`)});
    const folder = ${JSON.stringify(folder)};
    const store = openJsonAuditStore({ folder, clock, label: 'other' });
    await store.begin(${JSON.stringify(act(id))});
    console.log('begun');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

describe('audited actions of another process', () => {
  it('are kept while the process exists, even if it is paused, and concluded after it is killed', async () => {
    const { folder, clock, open } = await prepare();
    const child = await startBeginner(folder, 'a');
    const store = open();
    await store.add(auditLine(1));
    const { recovered, conclude } = concluding();
    await store.recover(conclude);
    child.kill('SIGSTOP');
    await clock.advance(60_000);
    await store.recover(conclude);
    expect(recovered).toEqual([]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await store.recover(conclude);
    expect(recovered).toEqual([act('a')]);
    expect((await readdir(folder)).sort()).toEqual(['1', '2', 'owners']);
  });
});

describe('a process that dies while it writes to the audit log', () => {
  /** Starts, ends and adds actions until the disk fails. Returns what was acknowledged. */
  async function workUntil(step: number) {
    const files = createFaultyFiles(() => (files.uses.length > step ? 'EIO' : undefined));
    const prepared = await prepare({ files, segmentLength: 400 });
    const store = prepared.open();
    const acknowledged = {
      begun: new Set<string>(),
      ended: new Set<string>(),
      lines: new Set<string>(),
    };
    const attempted = { ended: new Set<string>() };
    const noting = (name: Set<string>, id: string, work: Promise<void>) =>
      work.then(
        () => void name.add(id),
        () => {},
      );
    for (let number = 0; number < 4; number += 1) {
      const id = `act ${number}`;
      await noting(acknowledged.begun, id, store.begin(act(id)));
      const line = auditLine(number);
      await noting(acknowledged.lines, line.id, store.add(line));
      if (number % 2 !== 0 || !acknowledged.begun.has(id)) continue;
      attempted.ended.add(id);
      await noting(acknowledged.ended, id, store.end(act(id), auditLine(100 + number)));
    }
    const isOver = files.uses.length <= step;
    await store.close().catch(() => {});
    await killOwner(prepared.folder, 'here');
    return { ...prepared, acknowledged, attempted, isOver };
  }

  it('neither loses nor duplicates acknowledged actions at any step', async () => {
    let steps = 0;
    for (let isOver = false; !isOver; steps += 1) {
      const used = await workUntil(steps);
      isOver = used.isOver;
      const { begun, ended, lines } = used.acknowledged;
      const after = used.open({ files: createFaultyFiles(), label: 'after' });
      const { recovered, conclude } = concluding();
      await after.recover(conclude);
      const found = (await linesOf(after)).map(({ id }) => id);
      const concluded = recovered.map(({ id }) => id);
      const open = [...begun].filter((id) => !ended.has(id));
      // An action may have started or ended if that was not acknowledged.
      expect(concluded.filter((id) => ended.has(id))).toEqual([]);
      expect(open.filter((id) => !concluded.includes(id) && !used.attempted.ended.has(id))).toEqual(
        [],
      );
      expect([...lines].filter((id) => !found.includes(id))).toEqual([]);
      expect(found.length).toBe(new Set(found).size);
      await after.add(auditLine(99));
      await after.close();
      expect(await findingsIn(used.data)).toEqual([]);
    }
    expect(steps).toBeGreaterThan(40);
  });

  it('leaves its actions to another process even if the first line of the last segment is damaged', async () => {
    const { folder, open } = await prepare({ segmentLength: 600 });
    const store = open();
    await store.begin(act('open'));
    for (let number = 0; number < 20; number += 1) await store.add(auditLine(number));
    await killOwner(folder, 'here');
    const names = (await readdir(join(folder, '1'))).filter((name) => name.endsWith('.jsonl'));
    await damage(segment(folder, names.length), '"open"');
    const other = open({ label: 'there' });
    await other.begin(act('another'));
    await killOwner(folder, 'there');
    const { recovered, conclude } = concluding();
    const third = open({ label: 'third' });
    await third.recover(conclude);
    expect(recovered.map(({ id }) => id).sort()).toEqual(['another', 'open']);
    await third.close();
  });
});

describe('old audit log entries', () => {
  it('are removed with their segments in all lanes', async () => {
    const { folder, open } = await prepare({ segmentLength: 1_000 });
    const [one, two] = [open(), open()];
    for (let number = 0; number < 40; number += 1) {
      await (number % 2 ? one : two).add(auditLine(number));
    }
    await two.close();
    await one.removeBefore(auditLine(20).time);
    const left = (await linesOf(one)).map(({ id }) => id);
    expect(left.at(0)).toMatch(/^line-00001[0-9]$/);
    expect(left.slice(-20)).toEqual(Array.from({ length: 20 }, (_, n) => auditLine(20 + n).id));
    await one.removeBefore(Number.MAX_SAFE_INTEGER);
    expect(await linesOf(one)).toEqual([]);
    await one.close();
    expect(await findingsIn(join(folder, '..'))).toEqual([]);
  });
});
