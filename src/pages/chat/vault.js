// Values that are stored across reloads. If the storage is full or forbidden, they are kept in memory.

/** @typedef {import('./types.js').KeyValueStorage} KeyValueStorage */
/** @typedef {ReturnType<typeof createVault>} Vault */

/** The prefix of every key, because the origin may store other values. */
const prefix = 'msgsite-chat.';

/**
 * @param {KeyValueStorage | null} storage
 * @param {() => void} onFailureChanged
 */
export function createVault(storage, onFailureChanged) {
  /**
   * Values that could not be stored, and null for values that could not be removed.
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
    // Earlier failures are retried too, because space may have become available.
    for (const [other, unsavedValue] of unsaved) {
      try {
        write(other, unsavedValue);
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
     * Returns whether the value could not be stored and is known only to this tab.
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
      const inMemory = [...unsaved].filter(([, value]) => value !== null).map(([name]) => name);
      return [...stored, ...inMemory].filter((name) => name.startsWith(start));
    },
    /**
     * Removes this tab's unsaved value after another tab has changed its storage key. Returns the value's name, or
     * undefined if the key does not belong to this vault.
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
 * @returns {any} the parsed value; undefined if it is missing or invalid
 */
export function parseKept(text) {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
