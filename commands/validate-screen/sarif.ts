import { contractRules } from '../../src/screens/check/contract-rules.js';
import type { Reporter } from '../../src/screens/reporters/reporter.js';
import { createSarifReporter } from '../../src/screens/reporters/sarif.js';
import { allRules } from '../../src/screens/rules/all-rules.js';
import { packageVersion } from '../version.js';

/** The SARIF reporter with everything it says about the tool itself. */
export function createSarif(): Reporter {
  return createSarifReporter({ rules: [...contractRules, ...allRules], version: packageVersion() });
}
