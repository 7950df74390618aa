import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const text = (file: string): Promise<string> => readFile(join(root, file), 'utf8');

describe('the GitHub workflows', async () => {
  const folder = '.github/workflows';
  const names = await readdir(join(root, folder));

  it.each(names)('pin actions by commit and only read the repository: %s', async (name) => {
    const workflow = await text(join(folder, name));
    for (const [, action] of workflow.matchAll(/uses: *(.*)/g)) {
      expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
    expect(workflow).toMatch(/^permissions:\n {2}contents: read\n\S*$/m);
    expect(workflow).not.toMatch(/: write|pull_request_target|secrets\./);
  });

  it('run .ci/run on every supported version of Node.js', async () => {
    const workflow = await text(`${folder}/ci.yml`);
    expect(workflow).toContain('- run: bash .ci/run');
    expect(workflow).toContain('node: [20, 22, 24, 26]');
  });
});

it('no test is retried', async () => {
  const tests = await readdir(join(root, 'test'), { recursive: true });
  const files = tests.filter((name) => /\.tsx?$/.test(name)).map((name) => join('test', name));
  const second = /^\s*retry: *[^0\s]|[{,] *retry: *[^0\s]/m;
  for (const file of ['vitest.config.ts', ...files])
    expect(await text(file), file).not.toMatch(second);
});
