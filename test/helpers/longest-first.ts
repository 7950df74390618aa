import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files with the longest wall times, as printed by `.ci/run`. They are small but spend much time waiting. */
const longest = [
  'test/payments/intents/postgres/stopped-process.long.test.ts',
  'test/process/postgres/kill.long.test.ts',
  'test/process/postgres/till.long.test.ts',
  'test/docs/pages.long.test.ts',
  'test/docs/generated-clients.long.test.ts',
  'test/docs/postgres/pages.long.test.ts',
  'test/payments/crash/stopped.both.long.test.ts',
  'test/storage/postgres/lost-connections.long.test.ts',
  'test/browser/chat-page.test.ts',
  'test/browser/admin-editor.long.test.ts',
  'test/browser/admin-catalogue.long.test.ts',
  'test/browser/pay-page.long.test.ts',
  'test/process/serve.test.ts',
];

/**
 * Starts the longest files of a project first, so that a run does not end with one busy process while the others are
 * idle. Vitest sorts by the times of the last run or, in a fresh clone, by size.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((own) => {
      const ofProject = sorted.filter(({ project }) => project === own);
      return [...ofProject.filter(isLong), ...ofProject.filter((file) => !isLong(file))];
    });
  }
}

function isLong({ moduleId }: TestSpecification): boolean {
  return longest.some((file) => moduleId.endsWith(file));
}
