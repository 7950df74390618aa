import type { Fetch, LastMessage, ListedChat, Message } from '../../src/pages/chat/types.js';

/** A request that a script receives. */
export interface ScriptedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly key: string | null;
  readonly body: Readonly<Record<string, unknown>>;
  readonly token: string;
}

/** Returns the response to a request. `serve` returns the normal response of the service. */
export type Script = (
  request: ScriptedRequest,
  serve: () => Promise<Response>,
) => Promise<Response>;

interface FakeChat {
  readonly id: number;
  readonly members: Map<number, number>;
  readonly messages: Message[];
}

class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(`Refused: ${code}.`);
    this.status = status;
    this.code = code;
  }
}

/**
 * Creates the part of the service that a client's decisions depend on, in memory. A test controls its clock and, with
 * `script`, the response to each request. Everything else is tested against the real server.
 */
export function createScriptedService() {
  const tokens = new Map<string, { userId: number; ends: number }>();
  const chats = new Map<number, FakeChat>();
  const answers = new Map<string, Message>();
  const waiting = new Set<() => void>();
  const requests: ScriptedRequest[] = [];
  let lastMessageId = 0;
  let lastToken = 0;
  const service = {
    /** The server's time in milliseconds, which is in the `Date` header of every response. */
    time: Date.parse('2026-11-22T10:00:00Z'),
    /** Lifetime of a token, in seconds. */
    life: 600_000,
    script: ((_, serve) => serve()) as Script,
    requests,
    fetch: undefined as unknown as Fetch,
    chat(id: number, ...members: number[]) {
      chats.set(id, { id, members: new Map(members.map((member) => [member, 0])), messages: [] });
      wake();
    },
    remove(chatId: number, userId: number) {
      chats.get(chatId)?.members.delete(userId);
      wake();
    },
    messages: (chatId: number) => chats.get(chatId)?.messages ?? [],
    say(chatId: number, senderId: number, text: string): Message {
      const message: Message = {
        id: ++lastMessageId,
        chatId,
        senderId,
        senderName: `User ${senderId}`,
        senderAvatar: 'http://service.test/a.svg',
        text,
        type: 'text',
        createdAt: new Date(service.time).toISOString(),
      };
      chats.get(chatId)?.messages.push(message);
      wake();
      return message;
    },
    endTokens: () => {
      tokens.clear();
      wake();
    },
    /** Returns the number of requests to a path. */
    count: (method: string, path: RegExp) =>
      requests.filter((request) => request.method === method && path.test(request.path)).length,
  };

  function wake(): void {
    for (const each of waiting) each();
  }

  function newToken(userId: number): string {
    const iat = Math.floor(service.time / 1000);
    const claims = { sub: String(userId), jti: ++lastToken, iat, exp: iat + service.life };
    const token = `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;
    tokens.set(token, { userId, ends: (iat + service.life) * 1000 });
    return token;
  }

  function userOf({ token }: ScriptedRequest): number {
    const found = tokens.get(token);
    if (!found || found.ends <= service.time) throw new Refusal(401, 'unauthorized');
    return found.userId;
  }

  function chatFor(userId: number, id: number): FakeChat {
    const chat = chats.get(id);
    if (!chat) throw new Refusal(404, 'not_found');
    if (!chat.members.has(userId)) throw new Refusal(403, 'forbidden');
    return chat;
  }

  function account(id: number) {
    const avatar = 'http://service.test/a.svg';
    return { id, username: `User ${id}`, email: `${id}@service.test`, avatar, bio: '' };
  }

  function listOf(userId: number): ListedChat[] {
    return [...chats.values()]
      .filter(({ members }) => members.has(userId))
      .map(({ id, members, messages }) => {
        const readId = members.get(userId) ?? 0;
        const others = messages.filter((each) => each.id > readId && each.senderId !== userId);
        return {
          id,
          type: 'group' as const,
          participants: [...members.keys()],
          name: `Chat ${id}`,
          avatar: 'http://service.test/c.svg',
          ownerId: 1,
          createdAt: '2026-11-22T10:00:00Z',
          lastMessage: (messages.at(-1) ?? null) as LastMessage | null,
          unread: others.length,
          lastReadId: readId || null,
          participantCount: members.size,
        };
      });
  }

  async function list(request: ScriptedRequest, known: string | null, signal?: AbortSignal | null) {
    const etagNow = () =>
      JSON.stringify(JSON.stringify(listOf(userOf(request))).length + lastMessageId);
    const isHeld = request.query.has('wait') && known !== null;
    while (isHeld && etagNow() === known && !signal?.aborted) {
      await new Promise<void>((resolve) => {
        const done = () => {
          waiting.delete(done);
          resolve();
        };
        waiting.add(done);
        signal?.addEventListener('abort', done);
      });
    }
    const etag = etagNow();
    if (etag === known) return respond(304, null, { etag });
    return respond(200, { ok: true, chats: listOf(userOf(request)) }, { etag });
  }

  function page(chat: FakeChat, query: URLSearchParams) {
    const limit = Number(query.get('limit') ?? 1000);
    const after = query.get('after');
    const before = query.get('before');
    if (after !== null) {
      const rest = chat.messages.filter(({ id }) => id > Number(after));
      return { ok: true, messages: rest.slice(0, limit), hasMore: rest.length > limit };
    }
    const rest = chat.messages.filter(({ id }) => before === null || id < Number(before));
    return { ok: true, messages: rest.slice(-limit), hasMore: rest.length > limit };
  }

  function post(userId: number, chat: FakeChat, { key, body }: ScriptedRequest) {
    const known = answers.get(`${userId} ${key}`);
    const message = known ?? service.say(chat.id, userId, String(body.text));
    if (!known) Object.assign(message, { type: body.type });
    answers.set(`${userId} ${key}`, message);
    return { ok: true, message };
  }

  async function route(request: ScriptedRequest, init: RequestInit): Promise<Response> {
    const { method, path, query, body } = request;
    const headers = new Headers(init.headers);
    if (path === '/api/auth/login') {
      const id = Number(String(body.email).split('@')[0]);
      return respond(200, { ok: true, token: newToken(id), user: account(id) });
    }
    const userId = userOf(request);
    if (path === '/api/auth/renew') {
      const old = tokens.get(request.token);
      if (old) old.ends = Math.min(old.ends, service.time + 60_000);
      return respond(200, { ok: true, token: newToken(userId), user: account(userId) });
    }
    if (path === '/api/auth/logout') tokens.delete(request.token);
    if (path === '/api/auth/me') return respond(200, { ok: true, user: account(userId) });
    if (path === '/api/chats') return list(request, headers.get('if-none-match'), init.signal);
    const [, id, rest] = /^\/api\/chats\/(\d+)\/(\w+)$/.exec(path) ?? [];
    if (id === undefined) return respond(200, { ok: true });
    const chat = chatFor(userId, Number(id));
    if (rest === 'read') {
      chat.members.set(userId, Math.max(chat.members.get(userId) ?? 0, Number(body.messageId)));
      wake();
      return respond(200, { ok: true, chat: listOf(userId).find((each) => each.id === chat.id) });
    }
    if (method === 'POST') return respond(201, post(userId, chat, request));
    return respond(200, page(chat, query));
  }

  function respond(status: number, body: unknown, headers: Record<string, string> = {}): Response {
    const date = new Date(service.time).toUTCString();
    const text = body === null ? null : JSON.stringify(body);
    return new Response(text, { status, headers: { date, ...headers } });
  }

  service.fetch = async (url, init) => {
    const { pathname, searchParams } = new URL(url, 'http://service.test');
    const headers = new Headers(init.headers);
    const request: ScriptedRequest = {
      method: init.method ?? 'GET',
      path: pathname,
      query: searchParams,
      key: headers.get('idempotency-key'),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : {},
      token: (headers.get('authorization') ?? '').replace('Bearer ', ''),
    };
    requests.push(request);
    init.signal?.throwIfAborted();
    return service.script(request, async () => {
      try {
        return await route(request, init);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return refuse(error.status, error.code, service.time);
      }
    });
  };
  return service;
}

export type ScriptedService = ReturnType<typeof createScriptedService>;

/** Returns an error response in the service's format. */
export function refuse(
  status: number,
  code: string,
  time = 0,
  headers: Record<string, string> = {},
): Response {
  const body = JSON.stringify({ ok: false, error: `Refused: ${code}.`, code });
  return new Response(body, {
    status,
    headers: { date: new Date(time).toUTCString(), ...headers },
  });
}
