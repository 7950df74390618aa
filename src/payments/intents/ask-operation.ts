import type { PaymentName } from '../payment.js';
import type { PaymentProvider, ProviderAnswer, ProviderCall } from '../providers/provider.js';
import type { Cashier } from '../sessions/sessions.js';

/** Asks the provider how a payment stands. */
export function askOperation(
  provider: Pick<PaymentProvider, 'qrStatus' | 'invoiceDetails'>,
  { type, id }: Pick<PaymentName, 'type' | 'id'>,
  { credentials: session }: Pick<Cashier, 'credentials'>,
  call: ProviderCall,
): Promise<ProviderAnswer> {
  return type === 'qr'
    ? provider.qrStatus({ session, qrOperationId: id }, call)
    : provider.invoiceDetails({ session, operationId: id }, call);
}
