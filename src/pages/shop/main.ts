// What a page for visitors does beyond what works without JavaScript.
import { followCatalogue } from './catalogue.js';
import { replaceBrokenPictures } from './pictures.js';

// Products had these addresses once: they are in bookmarks and messages.
const product = /^#product-(\d+)$/.exec(location.hash)?.[1];
if (product && location.pathname === '/') location.replace(`/products/${product}`);

replaceBrokenPictures();
const search = document.querySelector<HTMLFormElement>('form#search');
if (search) followCatalogue(search);
