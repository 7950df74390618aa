import { type Html, html } from '../../base/html.js';
import type { Language } from '../../words/languages.js';
import { type FailureCode, failureCodes, type OrderWords } from './words/order-words.js';
import { orderWords } from './words/words.js';

/**
 * Draws the dialog in which a visitor pays on the product page, with every text that its script may show: while the
 * code is prepared, and for each error. `contact` says how to reach the shop.
 */
export function drawDialog(language: Language, contact: Html): Html {
  const words = orderWords[language];
  return html`<dialog id="pay" class="pay" aria-labelledby="order-title" lang="${language}">
<button type="button" class="icon-button pay-close" aria-label="${words.close}"><svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18"/></svg></button>
<div class="pay-body"></div>
<template data-shows="preparing">${drawPreparing(words)}</template>
${failureCodes.map((code) => drawFailure(code, words, contact))}
</dialog>
`;
}

/** Draws the placeholder, which has the size of the code that replaces it, so that nothing moves. */
function drawPreparing({ preparing, lost }: OrderWords): Html {
  return html`<section class="order" id="order" tabindex="-1" data-status="preparing" data-lost="${lost}" aria-labelledby="order-title" aria-busy="true">
<p class="order-status" role="status">${preparing}</p>
<p class="order-lost" aria-live="polite"></p>
<h1 id="order-title" class="visually-hidden">${preparing}</h1>
<div class="order-title-room"></div>
<div class="order-code"><span class="order-spinner"></span></div>
</section>`;
}

/** A retry cannot help with these, so they have no button for it. */
const final = new Set<FailureCode>(['not_for_sale', 'not_found', 'payments_unavailable']);
/** Only the shop can help with these. */
const withContact = new Set<FailureCode>(['payments_unavailable', 'not_for_sale', 'other']);

function drawFailure(code: FailureCode, words: OrderWords, contact: Html): Html {
  const { title, text } = words.failures[code];
  return html`<template data-shows="${code}"><section class="order" id="order" tabindex="-1" data-status="refused" aria-labelledby="order-title">
<p class="order-status" role="status">${title}</p>
<p class="order-lost" aria-live="polite"></p>
<h1 id="order-title" class="order-title">${title}</h1>
<p class="order-text">${text}</p>
${withContact.has(code) && html`<div class="order-contact">${contact}</div>`}
<p class="order-actions">${!final.has(code) && html`<button type="button" class="button primary" data-again>${words.again}</button>`} <button type="button" class="button" data-close>${words.close}</button></p>
</section></template>
`;
}
