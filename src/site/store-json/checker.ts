import { join } from 'node:path';
import { checkJsonFile, type DataChecker, reportError } from '../../storage/json/data-checker.js';
import { checkSiteDocument } from './open.js';

/** Checks the site's document against its schema. */
export const siteChecker: DataChecker = {
  name: 'site',
  async check(data, report) {
    const path = join(data, 'site.json');
    const document = await checkJsonFile(path, report);
    if (document === undefined) return;
    try {
      checkSiteDocument(path)(document);
    } catch (error) {
      reportError(error, path, report);
    }
  },
};
