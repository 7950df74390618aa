import { createCall } from '../shared/calls.ts';
import { ended } from '../shared/failure.ts';
import { createPauses } from '../shared/pauses.ts';
import { createLife } from './life.js';
import { postsOf } from './outbox.js';
import { createSession, sessionName } from './session.js';
import { readChannels, readChat, readMembers, readPeople, readPerson } from './shapes.js';
import { connecting } from './sync.js';
import { createVault } from './vault.js';

/** @typedef {import('./life.js').Life} Life */
/** @typedef {import('./types.js').ChatClient} ChatClient */
/** @typedef {import('./types.js').State} State */

/**
 * Creates a chat client that does not depend on a page. It signs in, follows all chats, stores posts until the server
 * has accepted them, and provides its state as one snapshot. Its methods are described in types.js.
 *
 * @param {import('./types.js').ClientParts} parts
 * @returns {ChatClient}
 */
export function createChatClient(parts) {
  const { storage, locks, now, randomKey = newKey } = parts;
  /** @type {Set<(state: State) => void>} */
  const listeners = new Set();
  /** @type {number | null} */
  let serverTime = null;
  /** @type {Life | null} */
  let life = null;
  let isStarted = false;
  /** @type {State | null} */
  let snapshot = null;
  let isReporting = false;

  const report = () => {
    isReporting = false;
    for (const listener of listeners) queueMicrotask(() => listener(state()));
  };

  const onChange = () => {
    snapshot = null;
    if (!isReporting) queueMicrotask(report);
    isReporting = true;
  };

  const vault = createVault(storage, onChange);
  const pauses = createPauses(parts);
  const call = createCall({
    ...parts,
    onDate(time) {
      serverTime = time;
    },
  });
  const session = createSession({
    call,
    vault,
    locks,
    pauses,
    serverTime: () => serverTime,
    onChange: () => {
      follow();
      onChange();
    },
  });

  /** Starts or stops the session of the signed-in user. The session continues if only the token changes. */
  const follow = () => {
    const userId = session.current()?.user.id;
    if (life?.userId === userId) return;
    life?.stop();
    // The user signed out in this tab or another one. The server did not end the session.
    if (userId === undefined && !session.endedElsewhere()) forget(life?.userId);
    life = userId === undefined || !isStarted ? null : begin(userId);
    life?.start();
  };

  /** @param {number} userId */
  const begin = (userId) => {
    const asUser = session.callAs(userId);
    let isFirst = true;
    const begun = createLife({
      userId,
      call: asUser,
      vault,
      pauses,
      locks,
      now,
      // Falls back to the local clock if the server sends no date.
      serverTime: () => serverTime ?? Date.now(),
      randomKey,
      onChange,
      onResponse(signal) {
        session.renewIfNeeded(signal);
        if (isFirst) refreshAccount();
        isFirst = false;
      },
    });
    const refreshAccount = () =>
      begun
        .persist(async () => {
          const { body } = await asUser('GET', '/api/auth/me', { signal: begun.signal });
          await session.keepAccount(body.user);
        })
        .catch(() => {});
    return begun;
  };

  const alive = () => {
    if (!life) throw ended();
    return life;
  };

  /** @returns {State} */
  const state = () => {
    snapshot ??= {
      phase: session.current() ? 'signed-in' : 'signed-out',
      endedElsewhere: session.endedElsewhere(),
      connection: life?.connection() ?? connecting,
      user: session.current()?.user ?? null,
      chats: life?.chats() ?? null,
      rooms: life?.rooms() ?? {},
      outbox: life?.unsent() ?? [],
      openChatId: life?.openChatId() ?? null,
      storageFailure: vault.failure(),
    };
    return snapshot;
  };

  /** Removes the stored posts of a user who signs out. @param {number | undefined} userId */
  const forget = (userId) => {
    if (userId === undefined) return;
    for (const name of vault.names(postsOf(userId))) vault.remove(name);
  };

  /** @param {() => Promise<void>} leave */
  const leaving = async (leave) => {
    const userId = session.current()?.user.id;
    await leave();
    forget(userId);
  };

  /** Calls the server as the signed-in user. @param {string} method @param {string} path @param {unknown} [body] */
  const request = async (method, path, body) => {
    const { call: asUser, signal } = alive();
    const response = await asUser(method, path, {
      signal,
      ...(body === undefined ? {} : { body }),
    });
    return response.body;
  };

  /** @param {string} method @param {string} path @param {'chat' | 'group' | 'channel'} field @param {unknown} [body] */
  const change = async (method, path, field, body) => {
    const owner = alive();
    const chat = readChat((await request(method, path, body))[field]);
    owner.changed(chat);
    return chat;
  };

  return {
    state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start() {
      isStarted = true;
      session.load();
      follow();
      onChange();
    },
    stop() {
      isStarted = false;
      life?.stop();
      life = null;
      onChange();
    },
    wake() {
      pauses.wake();
      life?.wake();
    },
    storageChanged(key, value) {
      if (key === null) {
        session.load();
        return;
      }
      const name = vault.changedElsewhere(key);
      if (name === sessionName) session.load();
      else if (name !== undefined) life?.outbox.changedElsewhere(name, value);
    },
    signUp: session.signUp,
    signIn: session.signIn,
    async signOut() {
      const userId = session.current()?.user.id;
      const request = session.signOut();
      forget(userId);
      await request;
    },
    signOutEverywhere: () => leaving(session.signOutEverywhere),
    changePassword: session.changePassword,
    resetPassword: session.reset,
    deleteAccount: (input) => leaving(() => session.deleteAccount(input)),
    async changeProfile(changes) {
      await session.keepAccount((await request('PUT', '/api/users/me', changes)).user);
    },
    openChat: (chatId) => life?.openChat(chatId),
    closeChat: () => life?.closeChat(),
    loadOlder: (chatId) => {
      life?.loadOlder(chatId);
    },
    post(chatId, draft) {
      const key = alive().outbox.post(chatId, draft);
      pauses.wake();
      return key;
    },
    retry: (key) => life?.outbox.retry(key),
    discard: (key) => life?.outbox.discard(key),
    markRead: (chatId) => life?.markRead(chatId),
    createPrivate: (participantId) =>
      change('POST', '/api/chats', 'chat', { type: 'private', participantId }),
    createGroup: (name) => change('POST', '/api/chats', 'chat', { type: 'group', name }),
    createChannel: (name) => change('POST', '/api/chats', 'chat', { type: 'channel', name }),
    rename: (chatId, name) => change('PUT', `/api/chats/${chatId}`, 'chat', { name }),
    addMember: (chatId, userId) =>
      change('POST', `/api/groups/${chatId}/members`, 'group', { userId }),
    removeMember: (chatId, userId) =>
      change('DELETE', `/api/groups/${chatId}/members/${userId}`, 'group'),
    async leave(chatId) {
      const owner = alive();
      await request('DELETE', `/api/groups/${chatId}/members/${owner.userId}`);
      owner.left(chatId);
    },
    subscribeTo: (channelId) => change('POST', `/api/channels/${channelId}/subscribe`, 'channel'),
    async unsubscribeFrom(channelId) {
      const owner = alive();
      await request('DELETE', `/api/channels/${channelId}/subscribe`);
      owner.left(channelId);
    },
    async searchPeople(query, after) {
      const text = query.trim();
      return readPeople(
        await request('GET', `/api/users${toQuery({ q: text || undefined, after })}`),
      );
    },
    async listChannels(after) {
      return readChannels(await request('GET', `/api/channels${toQuery({ after })}`));
    },
    async members(chatId, after) {
      return readMembers(await request('GET', `/api/chats/${chatId}/members${toQuery({ after })}`));
    },
    async person(userId) {
      return readPerson(await request('GET', `/api/users/${userId}`));
    },
  };
}

/** @param {Record<string, string | number | undefined>} values */
function toQuery(values) {
  const defined = Object.entries(values).filter(([, value]) => value !== undefined);
  const query = String(new URLSearchParams(defined.map(([name, value]) => [name, String(value)])));
  return query === '' ? '' : `?${query}`;
}

/** Returns 128 random bits in hexadecimal. `randomUUID` is not available without https. */
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
