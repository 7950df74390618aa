// Checks fields by the rules of the service's schemas before anything is sent, so that a form shows all errors at once.
// No page needed.

import type { Words } from './words/en.ts';

/** returns what is wrong with a text */
export type Check = (text: string) => string | undefined;

/** @param fault message for an empty field */
export function required(fault: string): Check {
  return (text) => (text.trim() === '' ? fault : undefined);
}

export function createChecks({ faults }: Words) {
  /** Counts characters as people do, not the halves of an emoji. */
  const atMost =
    (most: number): Check =>
    (text) => {
      const count = text.length <= most ? 0 : [...text].length;
      return count > most ? faults.tooLong(count, most) : undefined;
    };
  const like =
    (pattern: RegExp, fault: string): Check =>
    (text) =>
      pattern.test(text) ? undefined : fault;

  return {
    atMost,
    imageAddress: like(/^(https?:\/\/[^\s/?#\\][^\s\\]*|\/(?![/\\])[^\s\\]*)?$/i, faults.image),
    webAddress: like(/^(https?:\/\/[^\s/?#\\][^\s\\]*)?$/i, faults.web),
    phoneNumber: like(/^([ ()+-]*\d[\d ()+-]*)?$/, faults.phone),
    whatsApp: like(/^([ ()+-]*\d[\d ()+-]*|https:\/\/wa\.me\/\d+)?$/, faults.phone),
  };
}

/** Returns the first error. */
export function firstOf(checks: readonly Check[]): Check {
  return (text) => {
    for (const check of checks) {
      const fault = check(text);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}
