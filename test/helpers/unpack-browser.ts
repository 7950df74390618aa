import chromium from '@sparticuz/chromium';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the test run's Chromium. */
    chromium: string;
  }
}

/** Unpacks the browser once, into the test run's temporary folder. */
export default async function unpackBrowser(project: TestProject): Promise<void> {
  project.provide('chromium', await chromium.executablePath());
}
