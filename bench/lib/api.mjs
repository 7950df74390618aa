// Creates accounts, chats and messages for the benchmarks through the API.
export async function call(url, method, path, { token, body, headers } = {}) {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
      ...(body ? { 'Content-Type': 'application/json' } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!response.ok) throw new Error(`The response to ${method} ${path} was ${response.status}`);
  return response.json();
}

/** Creates a user with `count` groups; returns the token and the chats' IDs. */
export async function signUp(url, count = 1, { headers, email, password } = {}) {
  const { token } = await call(url, 'POST', '/api/auth/register', {
    headers,
    body: {
      username: 'Bench',
      email: email ?? `bench-${Date.now()}-${Math.random()}@shop.kz`,
      password: password ?? 'a good password',
    },
  });
  const chats = [];
  for (let index = 0; index < count; index += 1) {
    const body = { type: 'group', name: `Group ${index + 1}` };
    chats.push((await call(url, 'POST', '/api/chats', { token, body })).chat.id);
  }
  return { token, chats };
}

/** A text of 142 characters. */
export const text =
  'A message of the length that people write to one another during a day. '.repeat(2);

/** Returns requests that post to the chats in turn. */
export function posts(url, token, chats) {
  return chats.map((chat) => ({
    url: `${url}/api/chats/${chat}/messages`,
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ text }),
  }));
}
