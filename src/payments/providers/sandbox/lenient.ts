import type { Validator } from '../../../http/route/route.js';
import { isObject } from '../../../json/pointers.js';
import type { ProviderOperation } from '../provider.js';
import { operationNumber } from './ids.js';

const asNumber = (value: unknown) =>
  typeof value === 'string' && /^\d{1,15}(\.\d{1,9})?$/.test(value) ? Number(value) : value;
const asText = (value: unknown) =>
  Number.isSafeInteger(value) || typeof value === 'bigint' ? String(value) : value;
/** Ids beyond 2^53 included, which the sandbox may have given. */
const asId = (value: unknown) =>
  typeof value === 'bigint' || typeof value === 'string' ? operationNumber(value) : value;

/** What each property of a request is to the sandbox, by its name. */
const forms: Readonly<Record<string, (value: unknown) => unknown>> = {
  profileId: asNumber,
  amount: asNumber,
  latitude: asNumber,
  longitude: asNumber,
  returnAmount: asNumber,
  operationMethod: asNumber,
  statementPeriodCode: asNumber,
  id: asId,
  qrOperationId: asId,
  operationId: asText,
  phoneNumber: asText,
  otp: asText,
  processId: asText,
};

/**
 * A validator of a request's body that first makes numbers of digits in text and the reverse, in the body
 * itself, as the kind of bank that the sandbox plays does.
 */
export function lenient(name: ProviderOperation, validator: Validator): Validator {
  const accept = (body: unknown) => {
    if (isObject(body)) bringIntoForm(name, body);
    const isRight = validator(body);
    Object.assign(accepting, { errors: validator.errors });
    return isRight;
  };
  const accepting = Object.assign(accept, validator);
  return accepting as Validator; // It says of a body what the validator says.
}

function bringIntoForm(name: ProviderOperation, body: Record<string, unknown>): void {
  for (const [property, form] of Object.entries(forms)) {
    if (!Object.hasOwn(body, property)) continue;
    const isPath = name === 'qrStatus' && property === 'qrOperationId';
    body[property] = (isPath ? asText : form)(body[property]);
  }
}
