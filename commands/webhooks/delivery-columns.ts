import type { Colors } from '../../src/terminal/colors.js';
import { formatMoment } from '../../src/terminal/formats.js';
import type { TableColumn } from '../../src/terminal/table.js';
import type { Delivery } from '../../src/webhooks/delivery.js';
import type { StoredEvent } from '../../src/webhooks/event.js';

/** A delivery, or an event that has none. */
export type ListedRow = Delivery | StoredEvent;

/** What a table of deliveries shows; on a narrow terminal the last of these go first. */
export function deliveryColumns(colors: Colors): readonly TableColumn<ListedRow>[] {
  const stateStyles = { delivered: colors.green, pending: colors.yellow, dropped: colors.red };
  const ofDelivery = (text: (delivery: Delivery) => string) => (row: ListedRow) =>
    'state' in row ? text(row) : '';
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
      text: (row) => ('state' in row ? row.state : 'no receiver'),
      style: (cell, row) => ('state' in row ? stateStyles[row.state](cell) : colors.dim(cell)),
    },
    {
      title: 'TRIES',
      align: 'right',
      optional: 3,
      text: ofDelivery(({ attempts }) => `${attempts.length}`),
    },
    { title: 'LAST RESULT', shrinkTo: 10, optional: 4, text: ofDelivery(lastResult) },
    {
      title: 'RECEIVER',
      shrinkTo: 21,
      optional: 1,
      text: ofDelivery(({ subscription }) => subscription.url),
    },
    { title: 'DELIVERY', optional: 5, style: colors.dim, text: ({ id }) => id },
  ];
}

function lastResult({ attempts }: Delivery): string {
  const last = attempts.at(-1);
  return last ? (last.error ?? `HTTP ${last.status}`) : '';
}
