import type { SalesState } from '#validators/orders';
import { h } from '../shared/dom.ts';
import type { Api } from './session.ts';
import type { Words } from './words/en.ts';

/** Reads whether visitors can buy at the moment, and who takes the payments. */
export const readSales = (api: Api) => api<SalesState>('/api/admin/sales');

/** Creates the line that shows whether sales are open. `load` reads the state again and never fails. */
export function salesLine(api: Api, { sales }: Words) {
  const element = h('p', { class: 'sales', role: 'status' });
  const show = (text: string, state: string) => {
    element.dataset.state = state;
    if (element.textContent !== text) element.textContent = text;
  };
  const load = async () => {
    try {
      const { cashiers } = await readSales(api);
      const [cashier] = cashiers;
      if (!cashier) return show(sales.closed, 'closed');
      const { organization, phone } = cashier;
      const whose = phone === null ? '' : ` ${sales.signedIn(phone)}`;
      show(`${sales.open(organization)}${whose}`, 'open');
    } catch {
      show(sales.notLoaded, 'unknown');
    }
  };
  return { element, load };
}
