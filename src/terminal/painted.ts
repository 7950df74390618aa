// Everything that ink draws, loaded together and only where a terminal can be painted on.
export { ask } from './ask-drawn.js';
export { openPaymentScreen } from './payment/payment-screen.js';
export { openFullScreen } from './till/full-screen.js';
