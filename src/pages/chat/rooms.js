import pLimit from 'p-limit';
import { asFailure, isGone } from '../shared/failure.ts';
import { lastId } from './chat-list.js';
import {
  closed,
  emptyRoom,
  syncedId,
  withLatest,
  withNewer,
  withOlder,
  withPosted,
} from './room.js';
import { readMessagePage } from './shapes.js';

/** @typedef {import('./room.js').RoomData} RoomData */
/** @typedef {import('./types.js').ListedChat} ListedChat */
/** @typedef {import('./types.js').Message} Message */
/**
 * @typedef {object} Following
 * @property {RoomData} data
 * @property {number} goal the highest message ID that is known to exist
 * @property {number} checked the goal up to which the server had no further messages
 * @property {number} openedAt the number of the latest list request when the room was opened
 * @property {boolean} isBusy
 */

/** Number of messages on the first page and on older pages. */
const pageSize = 100;
/** Number of messages on a page of newer messages. */
const newerSize = 1_000;
/** Number of newer pages after which the latest page replaces a room's messages. */
const maxPages = 3;
/** Maximum number of pages read concurrently. Browsers have six connections to a site, and one of them is held open. */
const maxConcurrent = 3;
/** Maximum number of rooms that are kept up to date. The least recently opened room is removed first. */
const maxRooms = 20;

/**
 * Keeps the messages of opened chats up to date, using the last message IDs in the list of chats.
 *
 * @param {object} parts
 * @param {import('../shared/calls.ts').Call} parts.call
 * @param {import('./persist.js').Persist} parts.persist
 * @param {AbortSignal} parts.signal
 * @param {() => number} parts.listNumber the number of the latest list request
 * @param {() => void} parts.onChange
 * @param {(chatId: number) => void} parts.onGone
 */
export function createRooms({ call, persist, signal, listNumber, onChange, onGone }) {
  /** @type {Map<number, Following>} */
  const rooms = new Map();
  const limit = pLimit(maxConcurrent);

  /** @param {Following} room @param {RoomData} data */
  const update = (room, data) => {
    if (room.data === data) return;
    room.data = data;
    onChange();
  };

  /** @param {number} id @param {Following} room */
  const lose = (id, room) => {
    if (room.data.isGone) return;
    update(room, { ...room.data, isGone: true, isLoading: false, error: null });
    onGone(id);
  };

  /** @param {number} id @param {Following} room */
  const isFollowed = (id, room) => !signal.aborted && rooms.get(id) === room && !room.data.isGone;

  /** @param {number} id @param {string} query */
  const read = async (id, query) => {
    const path = `/api/chats/${id}/messages?${query}`;
    const { body } = await limit(() => call('GET', path, { signal }));
    return readMessagePage(body, id);
  };

  /** @param {Following} room */
  const settled = ({ data }) => ({ ...data, isLoading: false, error: null });

  /** @param {number} id @param {Following} room */
  const readLatest = async (id, room) => {
    const { goal } = room;
    const page = await read(id, `limit=${pageSize}`);
    room.checked = goal;
    update(room, withLatest(settled(room), page));
  };

  /**
   * Reads a page of newer messages. Returns whether there are more.
   *
   * @param {number} id
   * @param {Following} room
   */
  const readNewer = async (id, room) => {
    const { goal } = room;
    const page = await read(id, `after=${syncedId(room.data)}&limit=${newerSize}`);
    if (!page.hasMore) room.checked = goal;
    const data = room.data.error === null ? room.data : { ...room.data, error: null };
    update(room, withNewer(data, page));
    return page.hasMore && page.messages.length > 0;
  };

  /** @param {number} id @param {Following} room */
  const catchUp = async (id, room) => {
    if (!room.data.isLoaded || syncedId(room.data) === 0) return readLatest(id, room);
    for (let pages = 1; await readNewer(id, room); pages++) {
      if (pages === maxPages) return readLatest(id, room);
    }
  };

  /** @param {Following} room */
  const isBehind = ({ data, goal, checked }) =>
    !data.isLoaded || goal > Math.max(syncedId(data), checked);

  /** @param {number} id @param {Following} room */
  const follow = async (id, room) => {
    if (room.isBusy) return;
    room.isBusy = true;
    /** @param {unknown} error */
    const onFailure = (error) => update(room, { ...room.data, error: asFailure(error) });
    try {
      while (isFollowed(id, room) && isBehind(room))
        await persist(() => catchUp(id, room), onFailure);
    } catch (error) {
      if (isGone(error)) lose(id, room);
      else if (!signal.aborted)
        update(room, { ...room.data, isLoading: false, error: asFailure(error) });
    } finally {
      room.isBusy = false;
    }
  };

  return {
    /** @returns {[number, RoomData][]} the rooms by chat ID */
    all: () => [...rooms].map(([id, { data }]) => [id, data]),
    /** @param {number} id */
    get: (id) => rooms.get(id)?.data,
    /**
     * @param {number} id
     * @param {number} goal the last message ID in the list; 0 if there are no messages
     */
    open(id, goal) {
      const existing = rooms.get(id);
      const data = { ...emptyRoom, isLoading: true };
      const isUsable = existing && !existing.data.isGone;
      const room = isUsable
        ? existing
        : { data, goal, checked: 0, openedAt: listNumber(), isBusy: false };
      // Keeps the map sorted by the time of opening.
      rooms.delete(id);
      rooms.set(id, room);
      const [oldest] = rooms.keys();
      if (rooms.size > maxRooms && oldest !== undefined) rooms.delete(oldest);
      follow(id, room);
      onChange();
    },
    /** @param {number} id */
    close(id) {
      const room = rooms.get(id);
      if (room) update(room, closed(room.data));
    },
    /** @param {number} id */
    async loadOlder(id) {
      const room = rooms.get(id);
      const before = room?.data.synced[0]?.id;
      if (!room || before === undefined) return;
      if (room.data.isLoading || !room.data.hasOlder || room.data.isGone) return;
      update(room, { ...room.data, isLoading: true, error: null });
      try {
        const page = await read(id, `before=${before}&limit=${pageSize}`);
        update(room, withOlder(settled(room), before, page));
      } catch (error) {
        if (isGone(error)) lose(id, room);
        else update(room, { ...room.data, isLoading: false, error: asFailure(error) });
      }
    },
    /**
     * Reads new messages after a response with the list. Chats that are no longer in the list are marked as gone.
     *
     * @param {readonly ListedChat[]} chats
     * @param {number} number the number of the list request
     */
    listed(chats, number) {
      const byId = new Map(chats.map((chat) => [chat.id, chat]));
      for (const [id, room] of rooms) {
        const chat = byId.get(id);
        if (!chat) {
          if (number > room.openedAt) lose(id, room);
          continue;
        }
        if (room.data.isGone) {
          Object.assign(room, { checked: 0, openedAt: number });
          update(room, { ...emptyRoom, isLoading: true });
        }
        room.goal = Math.max(room.goal, lastId(chat));
        follow(id, room);
      }
    },
    /**
     * Adds a post of the user that the server has acknowledged.
     *
     * @param {Message} message
     */
    posted(message) {
      const room = rooms.get(message.chatId);
      if (!room) return;
      update(room, withPosted(room.data, message));
      room.goal = Math.max(room.goal, message.id);
      follow(message.chatId, room);
    },
    /** @param {number} id */
    lose(id) {
      const room = rooms.get(id);
      if (room) lose(id, room);
    },
  };
}
