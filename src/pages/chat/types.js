// The shapes of the chat client, for readers and for the type checker; nothing here runs.

/**
 * What keeps values over reloads: `localStorage`, or anything of its shape.
 *
 * @typedef {object} KeyValueStorage
 * @property {number} length
 * @property {(index: number) => string | null} key
 * @property {(name: string) => string | null} getItem
 * @property {(name: string, value: string) => void} setItem
 * @property {(name: string) => void} removeItem
 */

/**
 * `navigator.locks`, or what does the same: the lock is held until the callback's promise settles. With
 * `ifAvailable` the callback gets null at once where somebody else has the lock.
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
 * What the client needs of the world around it. `browserParts()` of browser.js gives all of it.
 *
 * @typedef {object} ClientParts
 * @property {Fetch} fetch
 * @property {string} [baseUrl] in front of every path; '' by default, which is the page's own origin
 * @property {KeyValueStorage | null} storage null: there is none, everything lives in memory
 * @property {LockSource} [locks] without them each tab sends; the keys of the posts keep that harmless
 * @property {() => number} now monotonic milliseconds; only `connection.retryAt` is made of it
 * @property {Sleep} sleep
 * @property {() => number} random from 0 up to 1, as Math.random
 * @property {() => string} [randomKey] an Idempotency-Key that nobody else makes
 */

/** @typedef {'text' | 'emoji' | 'sticker'} MessageType */
/** @typedef {{ id: number, username: string, avatar: string }} Person */
/** @typedef {Person & { bio: string }} PersonWithBio */

/**
 * The account that is signed in; `bio` is there from the first answer of the server on.
 *
 * @typedef {Person & { email: string, bio?: string }} Account
 */

/**
 * @typedef {object} Message
 * @property {number} id rises within a chat
 * @property {number} chatId
 * @property {number} senderId
 * @property {string} senderName
 * @property {string} senderAvatar
 * @property {string} text
 * @property {MessageType} type
 * @property {string} createdAt ISO 8601
 * @property {string} [error] why `text` is empty: the server cannot decrypt the message
 */

/** @typedef {Pick<Message, 'id' | 'senderId' | 'senderName' | 'text' | 'type' | 'createdAt'>} LastMessage */

/**
 * A chat of the list. `unread` counts the messages of others, up to 10,000; `lastReadId` is null before
 * the first reading, and `peerReadId` (private chats only) before the other's.
 *
 * @typedef {object} ListedChat
 * @property {number} id
 * @property {'private' | 'group' | 'channel'} type
 * @property {readonly number[]} participants of a channel the owner and oneself, unless one owns it
 * @property {string} name of a private chat: the other's
 * @property {string} avatar
 * @property {number} ownerId
 * @property {string} createdAt
 * @property {LastMessage | null} lastMessage
 * @property {number} unread
 * @property {number | null} lastReadId
 * @property {number} participantCount
 * @property {number | null} [peerReadId]
 */

/** A chat as every other answer has it. @typedef {Omit<ListedChat, 'lastMessage'>} Chat */

/** @typedef {{ id: number, name: string, avatar: string, ownerId: number, createdAt: string }} Channel */

/** @typedef {import('../shared/failure.ts').Failure} Failure */

/**
 * An own post that is not acknowledged. `waiting` is sent when its turn comes, `failed` waits for
 * `retry(key)` or `discard(key)`, and what was posted after it in the same chat waits behind it.
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
 * What is known of one chat's messages; there is one for every chat that was opened lately.
 *
 * @typedef {object} Room
 * @property {readonly Message[]} messages oldest first, each once, without gaps; only an own post that
 *   was acknowledged a moment ago may stand at the end before what others posted just before it
 * @property {readonly Outgoing[]} outgoing in the order of posting; shown below the messages
 * @property {boolean} hasOlder whether `loadOlder` has something to load
 * @property {boolean} isLoading the first page or an older one is on its way
 * @property {Failure | null} error why a page could not be loaded; the first page and what is new are
 *   asked for again by the client itself, an older page by `loadOlder`
 * @property {boolean} isGone one is no longer in this chat, or it is no more
 */

/**
 * @typedef {object} Connection
 * @property {'online' | 'connecting' | 'offline'} state
 * @property {number | null} retryAt offline: when the next attempt is, by the `now` that was handed in
 * @property {Failure | null} failure why it is not online
 */

/**
 * A snapshot: never changed, and what is equal to before is the same object as before.
 *
 * @typedef {object} State
 * @property {'signed-out' | 'signed-in'} phase
 * @property {boolean} endedElsewhere signed out by the server (another device, a password change, an end
 *   by time), not by a click here; unsent posts are kept for the next sign-in of the same account
 * @property {Connection} connection
 * @property {Account | null} user
 * @property {readonly ListedChat[] | null} chats by latest activity; null before the first answer
 * @property {Readonly<Record<number, Room>>} rooms by chat id
 * @property {readonly Outgoing[]} outbox own posts of all chats that are not acknowledged
 * @property {number | null} openChatId
 * @property {'full' | 'forbidden' | null} storageFailure nothing is kept over a reload at the moment
 */

/**
 * Actions that return a promise reject with a `CallError`. Those without (`openChat`, `markRead`, …) put
 * what comes of them into the state.
 *
 * @typedef {object} ChatClient
 * @property {() => State} state
 * @property {(listener: (state: State) => void) => () => void} subscribe called after every change;
 *   changes made together are reported once. The function that it gives ends it.
 * @property {() => void} start signs in with what is kept, and follows
 * @property {() => void} stop ends every request and timer; what was not sent stays kept
 * @property {() => void} wake tries again now: for `online` and a page that becomes visible
 * @property {(name: string | null, value: string | null) => void} storageChanged another tab changed the
 *   storage: `key` and `newValue` of the browser's `storage` event
 *
 * @property {(input: { username: string, email: string, password: string }) => Promise<void>} signUp
 * @property {(input: { email: string, password: string }) => Promise<void>} signIn
 * @property {() => Promise<void>} signOut takes the unsent posts along (see `state().outbox`), in every tab;
 *   ends here at once, also where the server cannot be reached
 * @property {() => Promise<void>} signOutEverywhere ends here as well; rejects where the server did not do it
 * @property {(input: { currentPassword: string, newPassword: string }) => Promise<void>} changePassword
 *   every other device is signed out; a wrong password is `forbidden`
 * @property {(input: { email: string, code: string, newPassword: string }) => Promise<void>} resetPassword
 *   signs in; a wrong code is `unauthorized`
 * @property {(input: { password: string }) => Promise<void>} deleteAccount a wrong password is `forbidden`
 * @property {(changes: { username?: string, bio?: string, avatar?: string }) => Promise<void>} changeProfile
 *
 * @property {(chatId: number) => void} openChat
 * @property {() => void} closeChat
 * @property {(chatId: number) => void} loadOlder
 * @property {(chatId: number, draft: { text: string, type?: MessageType }) => string} post the key;
 *   throws a `CallError` (`text_empty`, `text_too_long`, `outbox_full`, `ended`) where it is not taken
 * @property {(key: string) => void} retry
 * @property {(key: string) => void} discard
 * @property {(chatId: number) => void} markRead when the page shows the last message
 *
 * @property {(userId: number) => Promise<Chat>} createPrivate gives the chat there is, if any
 * @property {(name: string) => Promise<Chat>} createGroup
 * @property {(name: string) => Promise<Chat>} createChannel
 * @property {(chatId: number, name: string) => Promise<Chat>} rename
 * @property {(chatId: number, userId: number) => Promise<Chat>} addMember
 * @property {(chatId: number, userId: number) => Promise<Chat>} removeMember
 * @property {(chatId: number) => Promise<void>} leave a group
 * @property {(channelId: number) => Promise<Chat>} subscribeTo
 * @property {(channelId: number) => Promise<void>} unsubscribeFrom
 * @property {(query: string, after?: number) => Promise<Person[]>} searchPeople part of a name; '' is
 *   everybody; by id, 1,000 a page, `after` the last id of the page before
 * @property {(after?: number) => Promise<Channel[]>} listChannels 1,000 a page
 * @property {(chatId: number, after?: number) => Promise<{ members: Person[], hasMore: boolean }>} members
 *   1,000 a page; of a channel only for its owner
 * @property {(userId: number) => Promise<PersonWithBio>} person
 */

export {};
