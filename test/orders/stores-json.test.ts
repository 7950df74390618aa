import { openJsonOrderStore } from '../../src/orders/store-json/open.js';
import { makeTempFolder } from '../helpers/temp-folder.js';
import { describeOrderStores } from './store-contract.js';

describeOrderStores('JSON files', async (clock) => {
  const folder = await makeTempFolder();
  const onDamaged = (error: Error) => {
    throw error;
  };
  return { open: () => openJsonOrderStore({ folder, clock, onDamaged }) };
});
