// Types of the chat client. This file has no code.

/**
 * Keeps values across reloads: `localStorage` or an object with the same methods.
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
 * callback gets null at once if the lock is taken.
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
 * @property {KeyValueStorage | null} storage null: without storage, everything is in memory
 * @property {LockSource} [locks] without them every tab sends, which is harmless thanks to idempotency keys
 * @property {() => number} now monotonic milliseconds, used only for `connection.retryAt`
 * @property {Sleep} sleep
 * @property {() => number} random like Math.random
 * @property {() => string} [randomKey] returns a unique Idempotency-Key
 */

/** @typedef {'text' | 'emoji' | 'sticker'} MessageType */
/** @typedef {{ id: number, username: string, avatar: string }} Person */
/** @typedef {Person & { bio: string }} PersonWithBio */

/**
 * The signed-in account. `bio` is missing until the server's first answer.
 *
 * @typedef {Person & { email: string, bio?: string }} Account
 */

/**
 * @typedef {object} Message
 * @property {number} id ascending within a chat
 * @property {number} chatId
 * @property {number} senderId
 * @property {string} senderName
 * @property {string} senderAvatar
 * @property {string} text
 * @property {MessageType} type
 * @property {string} createdAt ISO 8601
 * @property {string} [error] set if the server cannot decrypt the message; `text` is then empty
 */

/** @typedef {Pick<Message, 'id' | 'senderId' | 'senderName' | 'text' | 'type' | 'createdAt'>} LastMessage */

/**
 * A chat in the list. `unread` counts messages of others, up to 10,000. `lastReadId` is null before the user's first
 * read mark, `peerReadId` (private chats only) before that of the other person.
 *
 * @typedef {object} ListedChat
 * @property {number} id
 * @property {'private' | 'group' | 'channel'} type
 * @property {readonly number[]} participants for a channel's subscribers: only the owner and the user
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

/** A chat in all other answers. @typedef {Omit<ListedChat, 'lastMessage'>} Chat */

/** @typedef {{ id: number, name: string, avatar: string, ownerId: number, createdAt: string }} Channel */

/** @typedef {import('../shared/failure.ts').Failure} Failure */

/**
 * A post of the user that is not acknowledged. `waiting` posts are sent when their turn comes. A `failed` post, and
 * later posts in its chat, wait for `retry(key)` or `discard(key)`.
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
 * The known messages of a chat. Every recently opened chat has one.
 *
 * @typedef {object} Room
 * @property {readonly Message[]} messages oldest first, without gaps, except that messages of others just before
 *   the user's latest post may still be missing
 * @property {readonly Outgoing[]} outgoing in the order of posting; shown below the messages
 * @property {boolean} hasOlder true if `loadOlder` can load more
 * @property {boolean} isLoading true while the first page or an older one is being loaded
 * @property {Failure | null} error why a page could not be loaded; the client retries the first page and newer
 *   messages automatically, `loadOlder` retries an older page
 * @property {boolean} isGone true if the user is no longer in this chat, or it was deleted
 */

/**
 * @typedef {object} Connection
 * @property {'online' | 'connecting' | 'offline'} state
 * @property {number | null} retryAt offline: the time of the next attempt, by `ClientParts.now`
 * @property {Failure | null} failure why it is not online
 */

/**
 * An immutable snapshot.
 *
 * @typedef {object} State
 * @property {'signed-out' | 'signed-in'} phase
 * @property {boolean} endedElsewhere true if the server ended the session (from another device, by a password change
 *   or expiry); unsent posts are kept for the next sign-in of the same account
 * @property {Connection} connection
 * @property {Account | null} user
 * @property {readonly ListedChat[] | null} chats by latest activity; null before the first answer
 * @property {Readonly<Record<number, Room>>} rooms by chat ID
 * @property {readonly Outgoing[]} outbox the user's unacknowledged posts in all chats
 * @property {number | null} openChatId
 * @property {'full' | 'forbidden' | null} storageFailure nothing is kept over a reload at the moment
 */

/**
 * Actions that return a promise reject with a `CallError`. The others (`openChat`, `markRead`, …) report their outcome
 * in the state.
 *
 * @typedef {object} ChatClient
 * @property {() => State} state
 * @property {(listener: (state: State) => void) => () => void} subscribe calls the listener after every change, or once
 *   after simultaneous changes, until the returned function is called
 * @property {() => void} start signs in with the stored session, and follows the chats
 * @property {() => void} stop ends all requests and timers; unsent posts remain stored
 * @property {() => void} wake retries now: call it for `online` and when the page becomes visible
 * @property {(name: string | null, value: string | null) => void} storageChanged another tab changed the
 *   storage: `key` and `newValue` of the browser's `storage` event
 *
 * @property {(input: { username: string, email: string, password: string }) => Promise<void>} signUp
 * @property {(input: { email: string, password: string }) => Promise<void>} signIn
 * @property {() => Promise<void>} signOut discards unsent posts (see `state().outbox`), in every tab; takes effect
 *   at once, even if the server cannot be reached
 * @property {() => Promise<void>} signOutEverywhere rejects if the server did not do it
 * @property {(input: { currentPassword: string, newPassword: string }) => Promise<void>} changePassword
 *   signs out all other devices; `forbidden` for a wrong password
 * @property {(input: { email: string, code: string, newPassword: string }) => Promise<void>} resetPassword
 *   signs in; `unauthorized` for a wrong code
 * @property {(input: { password: string }) => Promise<void>} deleteAccount `forbidden` for a wrong password
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
 * @property {(userId: number) => Promise<Chat>} createPrivate returns the existing chat, if any
 * @property {(name: string) => Promise<Chat>} createGroup
 * @property {(name: string) => Promise<Chat>} createChannel
 * @property {(chatId: number, name: string) => Promise<Chat>} rename
 * @property {(chatId: number, userId: number) => Promise<Chat>} addMember
 * @property {(chatId: number, userId: number) => Promise<Chat>} removeMember
 * @property {(chatId: number) => Promise<void>} leave a group
 * @property {(channelId: number) => Promise<Chat>} subscribeTo
 * @property {(channelId: number) => Promise<void>} unsubscribeFrom
 * @property {(query: string, after?: number) => Promise<Person[]>} searchPeople finds people by part of the name, or
 *   all with ''; returns pages of 1,000 by ID; pass the last ID of the previous page as `after`
 * @property {(after?: number) => Promise<Channel[]>} listChannels pages of 1,000
 * @property {(chatId: number, after?: number) => Promise<{ members: Person[], hasMore: boolean }>} members
 *   pages of 1,000; only a channel's owner can list its subscribers
 * @property {(userId: number) => Promise<PersonWithBio>} person
 */

export {};
