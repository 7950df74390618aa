import type { Page } from 'playwright-core';

/** A user with an account who uses the API. */
export interface Somebody {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  call(method: string, path: string, body?: unknown): Promise<ApiAnswer>;
}

// biome-ignore lint/suspicious/noExplicitAny: each test checks the response of its call
type ApiAnswer = any;

export const password = 'apricots-and-bread';
let count = 0;

/** Registers a new account with a generated e-mail address. */
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

/** Signs in on the page as a user would. */
export async function signIn(page: Page, { email }: Pick<Somebody, 'email'>): Promise<void> {
  await page.goto(new URL('/chat.html#sign-in', page.url()).href);
  // Only the sign-in form has this field. The previous form also has an e-mail field.
  await page.locator('[name="password"]').fill(password);
  await page.locator('[name="email"]').fill(email);
  await page.locator('[name="password"]').press('Enter');
  await page.locator('.list-pane').waitFor({ state: 'attached' });
}

/** Returns the texts of the messages in the open chat, from top to bottom. */
export function shownTexts(page: Page): Promise<string[]> {
  return page.locator('.message .message-text').allTextContents();
}
