import type { Payment } from '../payment.js';
import type { PaymentProvider, ProviderAnswer, ProviderCall, ProviderSession } from './provider.js';

/** Asks the provider how an operation stands. */
export function askOperation(
  provider: Pick<PaymentProvider, 'qrStatus' | 'invoiceDetails'>,
  { type, id }: Pick<Payment, 'type' | 'id'>,
  session: ProviderSession,
  call: ProviderCall,
): Promise<ProviderAnswer> {
  return type === 'qr'
    ? provider.qrStatus({ session, qrOperationId: id }, call)
    : provider.invoiceDetails({ session, operationId: id }, call);
}
