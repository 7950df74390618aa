// Explains errors in the user's language.

/** @typedef {import('./words.js').Words} Words */
/** @typedef {{ code?: string, status?: number, message?: string, retryAfter?: number | null }} Problem */

/** @type {Readonly<Record<string, string>>} */
const byCode = {
  offline: 'problemOffline',
  aborted: 'problemOffline',
  timeout: 'problemTimeout',
  request_timeout: 'problemTimeout',
  email_taken: 'emailTaken',
  storage_unavailable: 'problemStorage',
  shutting_down: 'problemStorage',
  forbidden: 'problemForbidden',
  not_found: 'problemNotFound',
  conflict: 'problemConflict',
  validation_failed: 'problemInvalid',
};

/**
 * Returns an explanation of an error. `known` maps error codes to more specific texts.
 *
 * @param {Problem} problem
 * @param {Words} words
 * @param {Readonly<Record<string, string>>} [known]
 */
export function explain(problem, words, known = {}) {
  const { code = '', status = 0, retryAfter } = problem;
  const key = known[code] ?? byCode[code];
  if (key) return words.t(key);
  if (code === 'rate_limited' || status === 429) return busy(retryAfter ?? 60_000, words);
  if (status === 503) return words.t('problemStorage');
  // The service's messages are in English.
  if (words.language === 'en' && problem.message && status >= 400) return problem.message;
  return words.t('problemOther');
}

/** @param {number} milliseconds @param {Words} words */
function busy(milliseconds, { t }) {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  if (seconds <= 90) return t('problemBusy', { count: seconds });
  return t('problemBusyMinutes', { count: Math.ceil(seconds / 60) });
}
