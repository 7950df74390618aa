import type { AdminOrder as Order } from '#validators/orders';
import { h } from '../shared/dom.ts';
import { textButton } from './parts.ts';
import type { Words } from './words/en.ts';

export type Step = Order['fulfillment']['status'];

export interface StepActs {
  move: (order: Order, step: Step) => unknown;
}

/** The step to take next, and the others to which an order can be moved, by its present one. */
const steps: Readonly<Record<Step, { next?: Step; others: readonly Step[] }>> = {
  new: { next: 'preparing', others: ['cancelled'] },
  preparing: { next: 'ready', others: ['new', 'cancelled'] },
  ready: { next: 'completed', others: ['preparing', 'cancelled'] },
  completed: { others: ['ready'] },
  cancelled: { others: ['new', 'preparing', 'ready'] },
};

/** The present step of a paid order, a button for the next one, and the other steps folded away. */
export function orderSteps(order: Order, { orders }: Words, { move }: StepActs) {
  const { number, fulfillment } = order;
  const { next, others } = steps[fulfillment.status];
  const button = (step: Step, kind: string) => {
    const element = textButton(orders.moves[step], () => move(order, step), kind);
    element.setAttribute('aria-label', orders.moveThis(orders.moves[step], number));
    return element;
  };
  return h(
    'div',
    { class: 'steps' },
    h('p', { class: `step step-${fulfillment.status}`, text: orders.steps[fulfillment.status] }),
    next && button(next, 'primary'),
    h(
      'details',
      { class: 'other-steps' },
      h('summary', { text: orders.otherSteps }),
      h(
        'div',
        { class: 'head-actions' },
        others.map((step) => button(step, '')),
      ),
    ),
  );
}

/** Returns true if somebody has to do something for an order. */
export function isToDo({ status, fulfillment }: Order) {
  return status === 'paid' && steps[fulfillment.status].next !== undefined;
}
