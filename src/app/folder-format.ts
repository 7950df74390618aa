import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  dataFormat,
  oldestFormat,
  readDataFormat,
} from '../storage/json/data-folder/data-format.js';

/** Where files that were written anew are until they take the place of those of format 1. */
export function nextFolder(data: string, format: number): string {
  return join(data, `format-${format}`);
}

/** Whether a data folder has a format, one before ours, files of two, or ours. */
export async function formatOf(data: string): Promise<'none' | 'older' | 'both' | 'ours'> {
  const format = await readDataFormat(data);
  if (format === undefined) return 'none';
  if (format > oldestFormat && existsSync(nextFolder(data, format))) return 'both';
  return format < dataFormat ? 'older' : 'ours';
}
