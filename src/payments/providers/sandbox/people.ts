import { hash } from 'node:crypto';
import { maskPhone } from '../../phone.js';

const clientNames = [
  'Айгерим С.',
  'Данияр К.',
  'Мадина Т.',
  'Ерлан Ж.',
  'Анна П.',
  'Тимур А.',
  'Жанар Б.',
  'Сергей В.',
];
const shopNames = [
  'Кофейня «Дала»',
  'Магазин «Береке»',
  'Пекарня «Нан»',
  'Цветы «Айгуль»',
  'Книги «Сөз»',
  'Чайхана «Самал»',
];

/** Returns the organization for a cashier's phone number. It is the same in every run. */
export function merchantOf(phone: string) {
  const number = numberOf(`merchant ${phone}`);
  const organizationId = 100_000 + (number % 900_000);
  const profileId = organizationId * 10 + 1;
  const orgName = pick(shopNames, number);
  return {
    organizationId,
    profileId,
    orgName,
    organizations: [
      { organizationId, profileId, orgName, role: 'Cashier' },
      { organizationId, profileId: profileId + 1, orgName: `${orgName}, касса 2`, role: 'Cashier' },
    ],
  };
}

/** Returns whether a phone number belongs to a customer. Numbers that end in 0404 do not. */
export function isClient(phone: string): boolean {
  return !phone.endsWith('0404');
}

/** Returns a customer's name as a bank shows it to a cashier: first name and initial. */
export function clientName(phone: string): string {
  return pick(clientNames, numberOf(`client ${phone}`));
}

/** Returns the bank's information about a customer. */
export function clientCard(phone: string) {
  return {
    ClientName: clientName(phone),
    ClientMobile: phone,
    ClientMobileMasked: maskPhone(phone),
    IsClient: true,
    CanReceiveInvoices: true,
  };
}

function pick(names: readonly string[], number: number): string {
  return names[number % names.length] ?? '';
}

function numberOf(text: string): number {
  return hash('sha256', text, 'buffer').readUIntBE(0, 6);
}
