// Everything that requires ink. It is loaded only on a terminal that supports drawing.
export { ask } from './ask-drawn.js';
export { openPaymentScreen } from './payment/payment-screen.js';
export { openFullScreen } from './till/full-screen.js';
