// Values that are kept across reloads. If the storage is full or forbidden, they are kept in memory.

/** @typedef {import('./types.js').KeyValueStorage} KeyValueStorage */
/** @typedef {ReturnType<typeof createVault>} Vault */

/** Prefix of every name, because the origin may store other values. */
const prefix = 'msgsite-chat.';

/**
 * @param {KeyValueStorage | null} storage
 * @param {() => void} onFailureChanged
 */
export function createVault(storage, onFailureChanged) {
  /**
   * Values that could not be stored; null for values that could not be removed.
   *
   * @type {Map<string, string | null>}
   */
  const unsaved = new Map();
  /** @type {'full' | 'forbidden' | null} */
  let failure = null;

  /** @param {'full' | 'forbidden' | null} now */
  const setFailure = (now) => {
    if (failure === now) return;
    failure = now;
    onFailureChanged();
  };

  /** @param {string} name @param {string | null} value */
  const write = (name, value) => {
    if (!storage) throw new Error('Storage is not available.');
    if (value === null) storage.removeItem(prefix + name);
    else storage.setItem(prefix + name, value);
  };

  /** @param {string} name @param {string | null} value */
  const put = (name, value) => {
    unsaved.set(name, value);
    // Retries earlier failures, too: there may be room again.
    for (const [other, waiting] of unsaved) {
      try {
        write(other, waiting);
        unsaved.delete(other);
      } catch (error) {
        setFailure(isQuota(error) ? 'full' : 'forbidden');
      }
    }
    if (unsaved.size === 0) setFailure(null);
  };

  /** @template T @param {(storage: KeyValueStorage) => T} read @param {T} otherwise */
  const reading = (read, otherwise) => {
    try {
      if (storage) return read(storage);
    } catch {
      // Reported below, like missing storage.
    }
    setFailure('forbidden');
    return otherwise;
  };

  return {
    failure: () => failure,
    /** @param {string} name @returns {string | null} */
    get(name) {
      const value = unsaved.get(name);
      return value === undefined ? reading((from) => from.getItem(prefix + name), null) : value;
    },
    /** @param {string} name @param {string} value */
    set: (name, value) => put(name, value),
    /** @param {string} name */
    remove: (name) => put(name, null),
    /**
     * Returns whether the value could not be stored, so that only this tab has it.
     *
     * @param {string} name
     */
    isUnsaved: (name) => typeof unsaved.get(name) === 'string',
    /**
     * Returns the names with a prefix.
     *
     * @param {string} start
     */
    names(start) {
      const stored = reading(namesOf, []).filter((name) => !unsaved.has(name));
      const own = [...unsaved].filter(([, value]) => value !== null).map(([name]) => name);
      return [...stored, ...own].filter((name) => name.startsWith(start));
    },
    /**
     * Takes the storage key that another tab has changed, and drops this tab's unsaved value. Returns the name in this
     * vault, or undefined for a key of something else.
     *
     * @param {string} key
     */
    changedElsewhere(key) {
      if (!key.startsWith(prefix)) return undefined;
      unsaved.delete(key.slice(prefix.length));
      return key.slice(prefix.length);
    },
  };
}

/** @param {KeyValueStorage} storage */
function namesOf(storage) {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  return keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
}

/** @param {unknown} error */
function isQuota(error) {
  return error instanceof Error && /quota/i.test(error.name);
}

/**
 * @param {string | null} text
 * @returns {any} undefined if there is no valid value
 */
export function parseKept(text) {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
