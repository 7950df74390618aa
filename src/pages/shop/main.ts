// Adds to a page for visitors what does not work without JavaScript.
import { followCatalogue } from './catalogue.js';
import { replaceBrokenPictures } from './pictures.js';

// Addresses of products in old bookmarks and messages.
const product = /^#product-(\d+)$/.exec(location.hash)?.[1];
if (product && location.pathname === '/') location.replace(`/products/${product}`);

replaceBrokenPictures();
const search = document.querySelector<HTMLFormElement>('form#search');
if (search) followCatalogue(search);
