// What a page for visitors does beyond what it is without JavaScript.
import { followCatalogue } from '/modules/site/catalogue.js';
import { replaceBrokenPictures } from '/modules/site/pictures.js';

// Products had these addresses once: they are in bookmarks and messages.
const product = /^#product-(\d+)$/.exec(location.hash)?.[1];
if (product && location.pathname === '/') location.replace(`/products/${product}`);

replaceBrokenPictures();
if (document.getElementById('search')) followCatalogue();
