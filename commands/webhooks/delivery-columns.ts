import type { Colors } from '../../src/terminal/colors.js';
import { formatMoment } from '../../src/terminal/formats.js';
import type { TableColumn } from '../../src/terminal/table.js';
import type { Delivery } from '../../src/webhooks/delivery.js';

/** What a table of deliveries shows; on a narrow terminal the last of these go first. */
export function deliveryColumns(colors: Colors): readonly TableColumn<Delivery>[] {
  const stateStyles = { delivered: colors.green, pending: colors.yellow, dropped: colors.red };
  return [
    {
      title: 'OCCURRED',
      optional: 2,
      text: ({ occurredAt }) => formatMoment(Date.parse(occurredAt)),
    },
    { title: 'EVENT', text: ({ facts }) => facts.event },
    { title: 'PAYMENT', shrinkTo: 12, text: ({ facts }) => facts.paymentId },
    {
      title: 'STATE',
      text: ({ state }) => state,
      style: (cell, { state }) => stateStyles[state](cell),
    },
    { title: 'TRIES', align: 'right', optional: 3, text: ({ attempts }) => `${attempts.length}` },
    { title: 'LAST RESULT', shrinkTo: 10, optional: 4, text: lastResult },
    { title: 'RECEIVER', shrinkTo: 21, optional: 1, text: ({ subscription }) => subscription.url },
    { title: 'DELIVERY', optional: 5, style: colors.dim, text: ({ id }) => id },
  ];
}

function lastResult({ attempts }: Delivery): string {
  const last = attempts.at(-1);
  return last ? (last.error ?? `HTTP ${last.status}`) : '';
}
