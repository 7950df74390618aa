/** The number of a Kazakh phone as the provider writes it: 7 and ten digits. */
const kazakh = /^7\d{10}$/;

/** Returns true for exactly `7` and ten digits, the form of the payment API and the provider. */
export function isKazakhPhone(text: string): boolean {
  return kazakh.test(text);
}

/**
 * Returns a Kazakh number that a person entered (`+7 (701) 123-45-67`, `8701…`, `701…`) as `7` and ten digits;
 * undefined if it is not one.
 */
export function readKazakhPhone(text: string): string | undefined {
  const digits = withoutSeparators(text);
  const national = digits.length === 10 && digits.startsWith('7') ? `7${digits}` : digits;
  const phone = /^8\d{10}$/.test(national) ? `7${national.slice(1)}` : national;
  return isKazakhPhone(phone) ? phone : undefined;
}

/**
 * Returns a number that a person entered as `+` and its digits (E.164): a Kazakh number in any usual form, or `+` and 7
 * to 15 digits of another country; undefined if it is neither.
 */
export function readPhone(text: string): string | undefined {
  const phone = readKazakhPhone(text);
  if (phone !== undefined) return `+${phone}`;
  const digits = /^\s*\+(.+)$/.exec(text)?.[1] ?? '';
  const number = withoutSeparators(digits);
  return /^\d{7,15}$/.test(number) ? `+${number}` : undefined;
}

function withoutSeparators(text: string): string {
  return text.replace(/[\s()+.-]/g, '');
}
