import { createPayDialog } from './dialog.js';
import type { Wanted } from './keys.js';
import { connectToServer } from './server.js';

// The product page: its form works without this module, which pays in a dialog instead of on a page.

const form = document.querySelector<HTMLFormElement>('form#buy');

if (form) payInDialog(form);

function payInDialog(form: HTMLFormElement): void {
  const server = connectToServer();
  // It belongs to the form without being inside it.
  const key = form.elements.namedItem('key');
  const keyInput = key instanceof HTMLInputElement ? key : null;
  const load = async () => createPayDialog({ element: await server.dialog(), server, keyInput });
  let loading: ReturnType<typeof load> | undefined = load();
  loading.catch(() => {
    loading = undefined;
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    try {
      loading ??= load();
      (await loading).buy(wantedOf(form));
    } catch {
      // Without the dialog, as without scripts.
      loading = undefined;
      form.submit();
    }
  });
  addEventListener('popstate', async () => {
    (await loading?.catch(() => undefined))?.followHistory();
  });
}

function wantedOf(form: HTMLFormElement): Wanted {
  const fields = new FormData(form);
  return {
    productId: Number(fields.get('productId')),
    quantity: Number(fields.get('quantity') || 1),
  };
}
