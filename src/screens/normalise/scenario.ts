import type { ScreenDefinition } from '#screen-definition';
import type { Degrade } from './degradation.js';
import type { ScreenStatus } from './table.js';

/** The scenario, with the statuses after control and reject where they are known ones. */
export function normaliseScenario(
  { scenario }: ScreenDefinition,
  statuses: readonly ScreenStatus[],
  degrade: Degrade,
) {
  if (scenario === undefined) return undefined;
  const find = (property: 'approveTo' | 'rejectTo'): ScreenStatus | undefined => {
    const wanted = scenario[property];
    const status = statuses.find(({ key }) => key === wanted);
    if (wanted !== undefined && status === undefined) {
      degrade('status-unknown', `/scenario/${property}`, wanted);
    }
    return status;
  };
  return { ...scenario, approved: find('approveTo'), rejected: find('rejectTo') };
}
