// The types of the chat client. This file contains no code.

/**
 * Stores values across reloads: `localStorage` or an object with the same methods.
 *
 * @typedef {object} KeyValueStorage
 * @property {number} length
 * @property {(index: number) => string | null} key
 * @property {(name: string) => string | null} getItem
 * @property {(name: string, value: string) => void} setItem
 * @property {(name: string) => void} removeItem
 */

/**
 * `navigator.locks` or a replacement. The lock is held until the callback's promise settles. With `ifAvailable`, the
 * callback immediately receives null if the lock is not available.
 *
 * @typedef {object} LockSource
 * @property {<T>(
 *   name: string,
 *   options: { signal?: AbortSignal, ifAvailable?: boolean },
 *   held: (lock: unknown) => Promise<T>,
 * ) => Promise<T>} request
 */

/** @typedef {import('../shared/sleep.ts').Sleep} Sleep */
/** @typedef {import('../shared/calls.ts').Fetch} Fetch */

/**
 * The client's dependencies. `browserParts()` in browser.js provides them.
 *
 * @typedef {object} ClientParts
 * @property {Fetch} fetch
 * @property {string} [baseUrl] prefix of every path; '' by default, which is the page's origin
 * @property {KeyValueStorage | null} storage null if nothing can be stored; everything is then kept in memory
 * @property {LockSource} [locks] without locks, every tab sends posts, which is safe because of the idempotency keys
 * @property {() => number} now monotonic milliseconds, used only for `connection.retryAt`
 * @property {Sleep} sleep
 * @property {() => number} random like Math.random
 * @property {() => string} [randomKey] returns a unique Idempotency-Key
 */

/** @typedef {'text' | 'emoji' | 'sticker'} MessageType */
/** @typedef {{ id: number, username: string, avatar: string }} Person */
/** @typedef {Person & { bio: string }} PersonWithBio */

/**
 * The signed-in account. `bio` is missing until the server's first response.
 *
 * @typedef {Person & { email: string, bio?: string }} Account
 */

/**
 * @typedef {object} Message
 * @property {number} id increases within a chat
 * @property {number} chatId
 * @property {number} senderId
 * @property {string} senderName
 * @property {string} senderAvatar
 * @property {string} text
 * @property {MessageType} type
 * @property {string} createdAt ISO 8601
 * @property {string} [error] set if the server cannot decrypt the message, in which case `text` is empty
 */

/** @typedef {Pick<Message, 'id' | 'senderId' | 'senderName' | 'text' | 'type' | 'createdAt'>} LastMessage */

/**
 * A chat in the list. `unread` is the number of unread messages of others, up to 10,000. `lastReadId` is null before
 * the user's first read mark. `peerReadId` (private chats only) is null before the other person's first read mark.
 *
 * @typedef {object} ListedChat
 * @property {number} id
 * @property {'private' | 'group' | 'channel'} type
 * @property {readonly number[]} participants for a subscriber of a channel: only the owner and the user
 * @property {string} name in a private chat, the name of the other person
 * @property {string} avatar
 * @property {number} ownerId
 * @property {string} createdAt
 * @property {LastMessage | null} lastMessage
 * @property {number} unread
 * @property {number | null} lastReadId
 * @property {number} participantCount
 * @property {number | null} [peerReadId]
 */

/** A chat in all other responses. @typedef {Omit<ListedChat, 'lastMessage'>} Chat */

/** @typedef {{ id: number, name: string, avatar: string, ownerId: number, createdAt: string }} Channel */

/** @typedef {import('../shared/failure.ts').Failure} Failure */

/**
 * A post of the user that the server has not acknowledged. Posts that are `waiting` are sent in order. A `failed` post
 * and later posts in its chat wait for `retry(key)` or `discard(key)`.
 *
 * @typedef {object} Outgoing
 * @property {string} key
 * @property {number} chatId
 * @property {string} text
 * @property {MessageType} type
 * @property {'waiting' | 'sending' | 'failed'} state
 * @property {Failure | null} error
 */

/**
 * The loaded messages of a chat. Every recently opened chat has a room.
 *
 * @typedef {object} Room
 * @property {readonly Message[]} messages oldest first and without gaps, except that messages of others immediately
 *   before the user's latest post may still be missing
 * @property {readonly Outgoing[]} outgoing in the order in which they were written; shown below the messages
 * @property {boolean} hasOlder true if `loadOlder` can load more
 * @property {boolean} isLoading true while the first page or an older page is being loaded
 * @property {Failure | null} error the reason why a page could not be loaded. The client retries the first page and
 *   newer messages automatically; `loadOlder` retries an older page.
 * @property {boolean} isGone true if the user is no longer in this chat or the chat was deleted
 */

/**
 * @typedef {object} Connection
 * @property {'online' | 'connecting' | 'offline'} state
 * @property {number | null} retryAt the time of the next attempt while offline, in the time of `ClientParts.now`
 * @property {Failure | null} failure the reason why the client is offline
 */

/**
 * An immutable snapshot of the client's state.
 *
 * @typedef {object} State
 * @property {'signed-out' | 'signed-in'} phase
 * @property {boolean} endedElsewhere true if the server ended the session (on another device, by a password change
 *   or by expiry). Unsent posts are stored until the same account signs in again.
 * @property {Connection} connection
 * @property {Account | null} user
 * @property {readonly ListedChat[] | null} chats sorted by latest activity; null before the first response
 * @property {Readonly<Record<number, Room>>} rooms by chat ID
 * @property {readonly Outgoing[]} outbox the user's unacknowledged posts in all chats
 * @property {number | null} openChatId
 * @property {'full' | 'forbidden' | null} storageFailure set while nothing can be stored across reloads
 */

/**
 * Actions that return a promise reject it with a `CallError` on failure. All others, such as `openChat`, report their
 * outcome in the state.
 *
 * @typedef {object} ChatClient
 * @property {() => State} state
 * @property {(listener: (state: State) => void) => () => void} subscribe calls the listener after each change, and only
 *   once for simultaneous changes, until the returned function is called
 * @property {() => void} start signs in with the stored session and follows the chats
 * @property {() => void} stop ends all requests and timers; unsent posts remain stored
 * @property {() => void} wake retries immediately; call it on `online` and when the page becomes visible
 * @property {(name: string | null, value: string | null) => void} storageChanged call it with `key` and
 *   `newValue` of the browser's `storage` event
 *
 * @property {(input: { username: string, email: string, password: string }) => Promise<void>} signUp
 * @property {(input: { email: string, password: string }) => Promise<void>} signIn
 * @property {() => Promise<void>} signOut discards unsent posts (see `state().outbox`) in every tab. Takes effect
 *   immediately, even if the server cannot be reached.
 * @property {() => Promise<void>} signOutEverywhere rejects if the server does not confirm it
 * @property {(input: { currentPassword: string, newPassword: string }) => Promise<void>} changePassword
 *   signs out all other devices; rejects with `forbidden` for a wrong password
 * @property {(input: { email: string, code: string, newPassword: string }) => Promise<void>} resetPassword
 *   signs in; rejects with `unauthorized` for a wrong code
 * @property {(input: { password: string }) => Promise<void>} deleteAccount rejects with
 *   `forbidden` for a wrong password
 * @property {(changes: { username?: string, bio?: string, avatar?: string }) => Promise<void>} changeProfile
 *
 * @property {(chatId: number) => void} openChat
 * @property {() => void} closeChat
 * @property {(chatId: number) => void} loadOlder
 * @property {(chatId: number, draft: { text: string, type?: MessageType }) => string} post returns the key;
 *   throws a `CallError` (`text_empty`, `text_too_long`, `outbox_full`, `ended`)
 * @property {(key: string) => void} retry
 * @property {(key: string) => void} discard
 * @property {(chatId: number) => void} markRead call it when the page shows the last message
 *
 * @property {(userId: number) => Promise<Chat>} createPrivate returns the existing chat if there is one
 * @property {(name: string) => Promise<Chat>} createGroup
 * @property {(name: string) => Promise<Chat>} createChannel
 * @property {(chatId: number, name: string) => Promise<Chat>} rename
 * @property {(chatId: number, userId: number) => Promise<Chat>} addMember
 * @property {(chatId: number, userId: number) => Promise<Chat>} removeMember
 * @property {(chatId: number) => Promise<void>} leave leaves a group
 * @property {(channelId: number) => Promise<Chat>} subscribeTo
 * @property {(channelId: number) => Promise<void>} unsubscribeFrom
 * @property {(query: string, after?: number) => Promise<Person[]>} searchPeople finds people by part of the name, or
 *   all people with ''. Returns pages of 1,000, sorted by ID. Pass the last ID of the previous page as `after`.
 * @property {(after?: number) => Promise<Channel[]>} listChannels returns pages of 1,000
 * @property {(chatId: number, after?: number) => Promise<{ members: Person[], hasMore: boolean }>} members
 *   returns pages of 1,000; only the owner of a channel can list its subscribers
 * @property {(userId: number) => Promise<PersonWithBio>} person
 */

export {};
