import { createColors } from '../../../src/terminal/colors.js';
import type { Returnable, TillPayment } from '../../../src/terminal/till/till-types.js';

export const now = Date.parse('2026-11-21T02:00:00Z');

/** The style of a terminal without colours. */
export const style = {
  colors: createColors(false),
  depth: 0,
  darkBackground: true,
  zone: 'Asia/Almaty',
} as const;

/** A link as long as those of banks. */
export const link = 'https://pay.example/qr/aBcDeFgHiJkLmNoP';

/** Returns an open QR payment of 1 500 ₸ with the given changes. */
export function payment(more: Partial<TillPayment> = {}): TillPayment {
  const type = more.type ?? 'qr';
  return {
    key: '17-qr-1795230000',
    type,
    organizationId: 17,
    card: {
      id: '1795230000',
      amount: 1500,
      createdAt: now - 9000,
      expiresAt: now + 171_000,
      orgName: 'Кофейня «Дала»',
      ...(type === 'qr' ? { link } : { clientName: 'Айгерим С.', clientPhone: '77015554433' }),
    },
    status: type === 'qr' ? 'QrTokenCreated' : 'RemotePaymentCreated',
    statusDesc: '',
    isOpen: true,
    kind: 'unknown',
    endedAt: undefined,
    ...more,
  };
}

export function returnable(id: string): Returnable {
  return { id, when: '2026-11-21 07:00', client: 'Анна П.', amount: 1500, left: 1500 };
}
