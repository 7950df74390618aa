import type { Page } from 'playwright-core';

/** A user with an account, who acts through the API. */
export interface Somebody {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  call(method: string, path: string, body?: unknown): Promise<ApiAnswer>;
}

// biome-ignore lint/suspicious/noExplicitAny: each test knows what its own call answers
type ApiAnswer = any;

export const password = 'apricots-and-bread';
let count = 0;

/** Registers a new account with a made-up e-mail. */
export async function somebody(site: string, username: string): Promise<Somebody> {
  count += 1;
  const email = `somebody-${count}@example.com`;
  const { token, user } = await call(site, 'POST', '/api/auth/register', {
    body: { username, email, password },
  });
  return {
    id: user.id,
    username,
    email,
    call: (method, path, body) => call(site, method, path, { body, token }),
  };
}

interface CallOptions {
  readonly body?: unknown;
  readonly token?: string;
}

async function call(site: string, method: string, path: string, { body, token }: CallOptions) {
  const response = await fetch(site + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer: ApiAnswer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.error}`);
  return answer;
}

/** Signs in on the page as a person does. */
export async function signIn(page: Page, { email }: Pick<Somebody, 'email'>): Promise<void> {
  await page.goto(new URL('/chat.html#sign-in', page.url()).href);
  // Only sign-in has this field: the previous form has an e-mail, too.
  await page.locator('[name="password"]').fill(password);
  await page.locator('[name="email"]').fill(email);
  await page.locator('[name="password"]').press('Enter');
  await page.locator('.list-pane').waitFor({ state: 'attached' });
}

/** Returns everything that the page shows of messages in the open chat, top to bottom. */
export function shownTexts(page: Page): Promise<string[]> {
  return page.locator('.message .message-text').allTextContents();
}
