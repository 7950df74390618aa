import { openJsonPaymentStores } from '../../src/payments/store-json/open.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { describePaymentStores } from './store-contract.js';

describePaymentStores('JSON files', async (clock) => {
  const folder = await makeTempFolder();
  const onDamaged = (error: Error) => {
    throw error;
  };
  return { open: () => openJsonPaymentStores({ folder, clock, onDamaged }) };
});
