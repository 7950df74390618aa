import { AppError } from '../../base/errors.js';
import { ok } from '../../http/answer/reply.js';
import { addUpDay } from '../reconcile/day-report.js';
import { firstDay, yesterday } from '../reconcile/days.js';
import { isDay, providerDay } from '../zoned-time.js';
import type { GatewayTurns } from './define-route.js';
import {
  auth,
  defineRoute,
  type PaymentRouteOptions,
  pairOf,
  providerErrors,
  readLimit,
} from './define-route.js';

/** Milliseconds after which a comparison that was requested over HTTP is stopped, as those of the night are. */
const longestComparison = 10 * 60_000;

/** A day as a whole: what was taken on it, and what the provider says otherwise. */
export function dayRoutes(options: PaymentRouteOptions, { reads, comparisons }: GatewayTurns) {
  const { sessions, reconcile, listEnded, refunds, clock, zone } = options;
  return [
    defineRoute({
      method: 'GET',
      path: '/api/report',
      name: 'reportDay',
      summary: 'Add up a day from what is stored here',
      description:
        "The takings of the session's organization by kind and cashier, as `msgsite pay report` gives them.",
      auth,
      limit: readLimit,
      query: { day: dayQuery('today') },
      responses: { 200: 'DayReport' },
      handle: (request) =>
        reads(request, async (signal) => {
          const { organizationId } = request.principal.session;
          const today = providerDay(clock.now(), zone);
          const day = pastDay(request.query.day ?? today, today);
          const meant = { day, zone, organizationId, signal };
          return ok(await addUpDay({ listEnded, refunds }, meant));
        }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/reconciliation',
      name: 'compareDay',
      summary: 'Compare a day with the provider',
      description:
        "What the provider's operations of a day and what is stored here of the session's organization say differently. It may take minutes: the provider is asked page by page. It ends with the request.",
      auth,
      limit: readLimit,
      query: { day: dayQuery('yesterday') },
      responses: { 200: 'Differences' },
      errors: [...providerErrors, 'too_large'],
      async handle(request) {
        const now = clock.now();
        const day = pastDay(request.query.day ?? yesterday(now, zone), providerDay(now, zone));
        const compare = (signal: AbortSignal) =>
          inTime(signal, (bounded) => reconcile(request.principal, day, bounded));
        try {
          return ok(await comparisons(request, compare));
        } finally {
          // The session may have ended meanwhile, which says more than how the comparison failed.
          await sessions.authenticate(...pairOf(request));
        }
      },
    }),
  ];
}

const dayQuery = (byDefault: string) =>
  ({
    type: 'string',
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    description: `a day by the provider's clocks, as 2026-11-21; ${byDefault} by default`,
    example: '2026-11-21',
  }) as const;

/** The day, where it is one of the calendar and not still to come; `validation_failed` otherwise. */
function pastDay(day: string, today: string): string {
  if (isDay(day) && day >= firstDay && day <= today) return day;
  const message =
    isDay(day) && day > today
      ? `is still to come; today is ${today}`
      : `must be a day of the calendar from ${firstDay} on`;
  throw new AppError('validation_failed', 'The query has values that are not allowed.', {
    details: [{ path: '/day', message }],
  });
}

/** The comparison, as long as it takes no longer than one may. */
async function inTime<Result>(
  signal: AbortSignal,
  work: (bounded: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = AbortSignal.timeout(longestComparison);
  try {
    return await work(AbortSignal.any([signal, late]));
  } catch (cause) {
    if (cause !== late.reason) throw cause;
    const message = 'The provider needed more than 10 minutes to be compared with.';
    throw new AppError('provider_error', message, { cause });
  }
}
