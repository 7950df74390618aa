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

/** Time limit of a comparison requested over HTTP, in milliseconds. Nightly comparisons have the same limit. */
const maxComparison = 10 * 60_000;

/** Returns the routes for a day's report and its comparison with the provider. */
export function dayRoutes(options: PaymentRouteOptions, { reads, comparisons }: GatewayTurns) {
  const { sessions, reconcile, listEnded, refunds, clock, zone } = options;
  return [
    defineRoute({
      method: 'GET',
      path: '/api/report',
      name: 'reportDay',
      summary: 'Sum up a day from the stored records',
      description:
        "Returns the takings of the session's organization by kind and cashier, like `msgsite pay report`.",
      auth,
      limit: readLimit,
      query: { day: dayQuery('today') },
      responses: { 200: 'DayReport' },
      handle: (request) =>
        reads(request, async (signal) => {
          const { organizationId } = request.principal.session;
          const today = providerDay(clock.now(), zone);
          const day = pastDay(request.query.day ?? today, today);
          const query = { day, zone, organizationId, signal };
          return ok(await addUpDay({ listEnded, refunds }, query));
        }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/reconciliation',
      name: 'compareDay',
      summary: 'Compare a day with the provider',
      description:
        "Returns the differences between the provider's operations of a day and the stored records of the session's organization. It may take minutes, because the provider's history has many pages. The comparison ends if the client closes the request.",
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
          // If the session has ended in the meantime, the client receives that error instead of the failure of the
          // comparison.
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
    description: `A day in the provider's time zone, such as 2026-11-21; ${byDefault} by default.`,
    example: '2026-11-21',
  }) as const;

/** Returns the day. Throws `validation_failed` if it is invalid or in the future. */
function pastDay(day: string, today: string): string {
  if (isDay(day) && day >= firstDay && day <= today) return day;
  const message =
    isDay(day) && day > today
      ? `is in the future; today is ${today}`
      : `must be a valid date, ${firstDay} or later`;
  throw new AppError('validation_failed', 'The query has invalid values.', {
    details: [{ path: '/day', message }],
  });
}

/** Runs a comparison with a timeout. */
async function inTime<Result>(
  signal: AbortSignal,
  work: (bounded: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = AbortSignal.timeout(maxComparison);
  try {
    return await work(AbortSignal.any([signal, late]));
  } catch (cause) {
    if (cause !== late.reason) throw cause;
    const message = 'The comparison with the provider took more than 10 minutes.';
    throw new AppError('provider_error', message, { cause });
  }
}
