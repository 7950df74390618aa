import type { ManagedUserList, ResetCode } from '#validators/messaging';
import { h, notice } from '../shared/dom.ts';
import { formatTime } from '../shared/format.ts';
import { showCode } from './code-dialog.ts';
import { ask } from './dialogs.ts';
import { explain } from './errors.ts';
import type { ViewOptions } from './parts.ts';
import { loadFailure, textButton } from './parts.ts';
import type { Person } from './people-row.ts';
import { personRow } from './people-row.ts';
import type { Words } from './words/en.ts';

/** People of one page. */
const shownTogether = 50;

/** Milliseconds after the last key press before the search starts. */
const typingPause = 250;

/**
 * The accounts of the chat: find a person, and help with a forgotten password, a lost device or an account to delete.
 */
export function showPeople({ place, words, api, toast }: ViewOptions) {
  const { frame, people: texts } = words;
  let people: Person[] = [];
  let hasMore = false;
  // An answer to an outdated question is ignored.
  let asked = 0;
  let typing: ReturnType<typeof setTimeout> | undefined;
  const list = h('div', { 'aria-busy': 'true' });
  const status = h('p', { class: 'visually-hidden', role: 'status' });
  const search = h('input', {
    class: 'input',
    type: 'search',
    maxlength: 254,
    'aria-label': texts.search,
    placeholder: texts.placeholder,
    oninput: () => {
      clearTimeout(typing);
      typing = setTimeout(() => load(), typingPause);
    },
  });
  const tools = h('div', { class: 'list-tools', hidden: true }, search);
  place.replaceChildren(
    h('div', { class: 'view-head' }, h('h1', { tabindex: '-1', text: frame.people })),
    tools,
    list,
    status,
  );

  /** @param after the last account that is shown; 0 loads from the start */
  const load = async (after: number = 0) => {
    clearTimeout(typing);
    asked += 1;
    const mine = asked;
    list.setAttribute('aria-busy', 'true');
    try {
      const page = await api<ManagedUserList>(
        `/api/admin/users?${query(search.value.trim(), after)}`,
      );
      if (mine !== asked) return;
      // One more is requested than is shown, to see if there are more.
      hasMore = page.users.length > shownTogether;
      const shown = page.users.slice(0, shownTogether);
      people = after === 0 ? shown : [...people, ...shown];
      tools.hidden = false;
      draw();
      if (after > 0) focusRow(shown[0]?.id);
      else if (search.value !== '') status.textContent = countOf(people.length, hasMore, texts);
    } catch (error) {
      if (mine !== asked) return;
      tools.hidden = error.code === 'no_admin_token';
      list.replaceChildren(
        error.code === 'no_admin_token'
          ? notice({ title: texts.noToken, text: texts.noTokenText, level: 'h2' })
          : loadFailure(texts.notLoaded, error, words, () => load(after)),
      );
    }
    list.setAttribute('aria-busy', 'false');
  };

  const draw = () => {
    if (people.length === 0) return list.replaceChildren(nobody(search.value.trim(), texts));
    const rows = people.map((person) => personRow(person, { resetCode, signOut, remove }, words));
    const more = textButton(words.showMore, () => load(people.at(-1)?.id), 'more');
    more.hidden = !hasMore;
    list.replaceChildren(h('ul', { class: 'rows', role: 'list' }, rows), more);
  };

  /**
   * Calls `act`; a person who no longer exists disappears from the list.
   * @param failed what did not happen, if it fails
   */
  const attempt = async <Answer>(
    failed: string,
    act: () => Promise<Answer>,
  ): Promise<Answer | undefined> => {
    try {
      return await act();
    } catch (error) {
      toast.show(`${failed} ${explain(error, words)}`, { failed: true });
      if (error.status === 404) await load();
      return undefined;
    }
  };

  const resetCode = async ({ id, username }: Person) => {
    const made = await attempt(texts.noCode(username), () =>
      api<ResetCode>(`/api/admin/users/${id}/reset-code`, { method: 'POST' }),
    );
    if (!made) return;
    const text = texts.codeText(formatTime(made.expiresAt, words));
    const steps = [texts.step1(`${location.origin}/chat.html#reset`), texts.step2];
    const { code } = made;
    showCode(
      { title: texts.codeTitle(username), text, label: texts.codeLabel, code, steps },
      words,
    );
  };

  const signOut = async ({ id, username }: Person) => {
    const sure = await ask({
      title: texts.signOutQuestion(username),
      text: texts.signOutText,
      yes: texts.signOut,
      no: words.cancel,
      danger: false,
    });
    if (!sure) return;
    const done = await attempt(texts.notSignedOut(username), () =>
      api(`/api/admin/users/${id}/sign-out`, { method: 'POST' }),
    );
    if (done) toast.show(texts.signedOut(username));
  };

  const remove = async ({ id, username, email }: Person) => {
    const sure = await ask({
      title: texts.removeQuestion(username),
      text: texts.removeText(email),
      yes: texts.removeYes,
      no: words.cancel,
    });
    if (!sure) return;
    const done = await attempt(words.deletion.notDeleted(username), () =>
      api(`/api/admin/users/${id}`, { method: 'DELETE' }),
    );
    if (!done) return;
    const index = people.findIndex((person) => person.id === id);
    people = people.filter((person) => person.id !== id);
    draw();
    focusRow((people[index] ?? people.at(-1))?.id);
    toast.show(texts.removed(username));
  };

  /** Focuses this row, or the search field, after the focused element has disappeared. */
  const focusRow = (id: number | undefined) => {
    const row: HTMLElement | null =
      id === undefined ? null : list.querySelector(`[data-id="${id}"] button`);
    (row ?? search).focus();
  };

  return { title: frame.people, isDirty: () => false, ready: load().then(() => false) };
}

function query(q: string, after: number) {
  return new URLSearchParams({
    ...(q ? { q } : {}),
    ...(after ? { after: String(after) } : {}),
    limit: String(shownTogether + 1),
  });
}

function countOf(count: number, hasMore: boolean, { found, foundMore }: Words['people']) {
  return hasMore ? foundMore(count) : found(count);
}

function nobody(q: string, texts: Words['people']) {
  const isEmpty = q === '';
  return notice({
    title: isEmpty ? texts.none : texts.noneFor(q),
    text: isEmpty ? texts.noneText : texts.noneForText,
    level: 'h2',
  });
}
