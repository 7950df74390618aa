import { sizes, testOwnPayment } from './other-payments.js';

testOwnPayment(sizes);
