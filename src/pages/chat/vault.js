// What is kept over reloads. Where the storage is full or forbidden, memory stands in for it.

/** @typedef {import('./types.js').KeyValueStorage} KeyValueStorage */
/** @typedef {ReturnType<typeof createVault>} Vault */

/** In front of every name, beside whatever else the origin keeps. */
const prefix = 'msgsite-chat.';

/**
 * @param {KeyValueStorage | null} storage
 * @param {() => void} onFailureChanged
 */
export function createVault(storage, onFailureChanged) {
  /**
   * What the storage did not take: values, and null for what it did not remove.
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
    if (!storage) throw new Error('There is no storage.');
    if (value === null) storage.removeItem(prefix + name);
    else storage.setItem(prefix + name, value);
  };

  /** @param {string} name @param {string | null} value */
  const put = (name, value) => {
    unsaved.set(name, value);
    // What failed before is tried along with it: there may be room again.
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
      // Reported below, like a storage that is not there.
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
     * Whether only this tab knows the value: the storage did not take it.
     *
     * @param {string} name
     */
    isUnsaved: (name) => typeof unsaved.get(name) === 'string',
    /**
     * The names that begin so.
     *
     * @param {string} start
     */
    names(start) {
      const stored = reading(namesOf, []).filter((name) => !unsaved.has(name));
      const own = [...unsaved].filter(([, value]) => value !== null).map(([name]) => name);
      return [...stored, ...own].filter((name) => name.startsWith(start));
    },
    /**
     * The name in this vault of a key of the storage, or undefined where it is somebody else's.
     * What another tab has written there counts from now on.
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
 * @returns {any} undefined where there is nothing, or nothing that can be read
 */
export function parseKept(text) {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
