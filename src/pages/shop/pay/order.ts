import { keepLive } from './live-order.js';
import { connectToServer } from './server.js';

// The page of an order, which a reload shows in place of the payment dialog.

const section = document.getElementById('order');
const { pathname } = location;

if (section) {
  keepLive(section, {
    server: connectToServer(),
    signal: new AbortController().signal,
    onShown: (_, title) => {
      document.title = title;
    },
  });
}

// The entries before and after this one may be of the product page, which the browser then shows without loading it.
addEventListener('popstate', () => {
  if (location.pathname !== pathname) location.reload();
});
