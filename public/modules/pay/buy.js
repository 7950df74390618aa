import { createPayDialog } from '/modules/pay/dialog.js';
import { connectToServer } from '/modules/pay/server.js';

// The product page: its form works without this module, which pays in a dialog instead of on a page.

const form = /** @type {HTMLFormElement | null} */ (document.getElementById('buy'));

if (form) payInDialog(form);

/** @param {HTMLFormElement} form */
function payInDialog(form) {
  const server = connectToServer();
  const load = () =>
    server.dialog().then((element) => createPayDialog({ element, server, keyInput: keyOf(form) }));
  /** @type {ReturnType<typeof load> | undefined} */
  let loading = load();
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

/** @param {HTMLFormElement} form */
function keyOf(form) {
  return /** @type {HTMLInputElement | null} */ (form.elements.namedItem('key'));
}

/** @param {HTMLFormElement} form */
function wantedOf(form) {
  const fields = new FormData(form);
  return {
    productId: Number(fields.get('productId')),
    quantity: Number(fields.get('quantity') || 1),
  };
}
