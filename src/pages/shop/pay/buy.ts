import { createPayDialog } from './dialog.js';
import type { OrderedPieces } from './keys.js';
import { connectToServer } from './server.js';

// Opens the payment dialog on the product page. Without this module, the form leads to a page instead.

const form = document.querySelector<HTMLFormElement>('form#buy');

if (form) payInDialog(form);

function payInDialog(form: HTMLFormElement): void {
  const server = connectToServer();
  // The field belongs to the form, but may be outside of it.
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
      (await loading).buy(readForm(form));
    } catch {
      // Without the dialog, the form is sent as it is without scripts.
      loading = undefined;
      form.submit();
    }
  });
  addEventListener('popstate', async () => {
    (await loading?.catch(() => undefined))?.followHistory();
  });
}

function readForm(form: HTMLFormElement): OrderedPieces {
  const fields = new FormData(form);
  return {
    productId: Number(fields.get('productId')),
    quantity: Number(fields.get('quantity') || 1),
  };
}
