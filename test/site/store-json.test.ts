import { join } from 'node:path';
import { checkSiteDocument, openJsonSiteStore } from '../../src/site/store-json/open.js';
import { durableJsonFile } from '../../src/storage/json/durable-json-file.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { describeSiteStore } from './store-contract.js';

describeSiteStore('JSON files', async () => {
  const path = join(await makeTempFolder(), 'site.json');
  return {
    open: () => openJsonSiteStore(durableJsonFile({ path, check: checkSiteDocument(path) })),
  };
});
