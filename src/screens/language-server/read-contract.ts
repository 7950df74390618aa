import { readSchema } from '../../base/package-files.js';
import { type Contract, createContract } from './contract.js';

/** Reads the contract of screen definitions from the package. */
export async function readContract(): Promise<Contract> {
  const schema: object = await readSchema('screen');
  return createContract(schema);
}
