import { failureNotice, h, notice } from '../shared/dom.ts';
import { formatTime } from '../shared/format.ts';
import { ask } from './dialogs.js';
import { showCode } from './people-code.js';
import { noToken } from './people-no-token.js';
import { personRow } from './people-row.js';

/** @typedef {import('./people-row.js').Person} Person */

/** As many as are found again at a glance. */
const shownTogether = 50;

/** Long enough to type the next letter of a name, in milliseconds. */
const typingPause = 250;

/**
 * The accounts of the chat: find somebody, and help with a forgotten password, a lost device or an account that is to
 * go.
 *
 * @param {import('./parts.js').ViewOptions} options
 */
export function showPeople({ place, api, toast }) {
  /** @type {Person[]} */
  let people = [];
  let hasMore = false;
  // An answer that comes after the question has changed is passed over.
  let asked = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let typing;
  const list = h('div', { 'aria-busy': 'true' });
  const status = h('p', { class: 'visually-hidden', role: 'status' });
  const search = h('input', {
    class: 'input',
    type: 'search',
    maxlength: 254,
    'aria-label': 'Find people',
    placeholder: 'Name, or whole e-mail address',
    oninput: () => {
      clearTimeout(typing);
      typing = setTimeout(() => load(), typingPause);
    },
  });
  const tools = h('div', { class: 'list-tools', hidden: true }, search);
  place.replaceChildren(
    h('div', { class: 'view-head' }, h('h1', { tabindex: '-1', text: 'People' })),
    tools,
    list,
    status,
  );

  /** @param {number} [after] the last account that is shown; from the start where absent */
  const load = async (after = 0) => {
    clearTimeout(typing);
    asked += 1;
    const mine = asked;
    list.setAttribute('aria-busy', 'true');
    try {
      const page = await api(`/api/admin/users?${query(search.value.trim(), after)}`);
      if (mine !== asked) return;
      // One more than is shown says whether there are more.
      hasMore = page.users.length > shownTogether;
      const shown = page.users.slice(0, shownTogether);
      people = after === 0 ? shown : [...people, ...shown];
      tools.hidden = false;
      draw();
      if (after > 0) focusRow(shown[0]?.id);
      else if (search.value !== '') status.textContent = countOf(people.length, hasMore);
    } catch (error) {
      if (mine !== asked) return;
      tools.hidden = error.code === 'no_admin_token';
      list.replaceChildren(
        error.code === 'no_admin_token'
          ? noToken()
          : failureNotice('The people could not be loaded', error, () => load(after), 'h2'),
      );
    }
    list.setAttribute('aria-busy', 'false');
  };

  const draw = () => {
    if (people.length === 0) return list.replaceChildren(nobody(search.value.trim()));
    const rows = people.map((person) => personRow(person, { resetCode, signOut, remove }));
    const more = h('button', {
      class: 'button more',
      type: 'button',
      hidden: !hasMore,
      onclick: () => load(people.at(-1)?.id),
      text: 'Show more',
    });
    list.replaceChildren(h('ul', { class: 'rows', role: 'list' }, rows), more);
  };

  /**
   * Does something for somebody; who is gone by now is shown no more.
   *
   * @template Answer
   * @param {string} failed what did not happen, where it fails
   * @param {() => Promise<Answer>} act
   * @returns {Promise<Answer | undefined>}
   */
  const attempt = async (failed, act) => {
    try {
      return await act();
    } catch (error) {
      toast.show(`${failed} ${error.message}`, { failed: true });
      if (error.status === 404) await load();
      return undefined;
    }
  };

  /** @param {Person} person */
  const resetCode = async ({ id, username }) => {
    const made = await attempt(`There is no code for ${username}.`, () =>
      api(`/api/admin/users/${id}/reset-code`, { method: 'POST' }),
    );
    if (made) showCode({ username, code: made.code, until: formatTime(made.expiresAt) });
  };

  /** @param {Person} person */
  const signOut = async ({ id, username }) => {
    const sure = await ask({
      title: `Sign ${username} out everywhere?`,
      text: 'Every browser and program that is signed in as them asks for the password again. Nothing is lost.',
      yes: 'Sign out',
      danger: false,
    });
    if (!sure) return;
    const done = await attempt(`${username} was not signed out.`, () =>
      api(`/api/admin/users/${id}/sign-out`, { method: 'POST' }),
    );
    if (done) toast.show(`${username} is signed out everywhere.`);
  };

  /** @param {Person} person */
  const remove = async ({ id, username, email }) => {
    const sure = await ask({
      title: `Delete the account of ${username}?`,
      text: `Name, e-mail address (${email}), picture, “about” and password go. Messages stay, under “Deleted account”; groups and channels pass to the member who joined first, or go where nobody is left. This cannot be undone.`,
      yes: 'Delete for good',
    });
    if (!sure) return;
    const done = await attempt(`The account of ${username} was not deleted.`, () =>
      api(`/api/admin/users/${id}`, { method: 'DELETE' }),
    );
    if (!done) return;
    const index = people.findIndex((person) => person.id === id);
    people = people.filter((person) => person.id !== id);
    draw();
    focusRow((people[index] ?? people.at(-1))?.id);
    toast.show(`The account of ${username} is deleted.`);
  };

  /**
   * What had the focus is gone: it continues at this row, or else at the top.
   *
   * @param {number | undefined} id
   */
  const focusRow = (id) => {
    /** @type {HTMLElement | null} */
    const row = id === undefined ? null : list.querySelector(`[data-id="${id}"] button`);
    (row ?? search).focus();
  };

  return { title: 'People', isDirty: () => false, ready: load().then(() => false) };
}

/**
 * @param {string} q
 * @param {number} after
 */
function query(q, after) {
  return new URLSearchParams({
    ...(q ? { q } : {}),
    ...(after ? { after: String(after) } : {}),
    limit: String(shownTogether + 1),
  });
}

/**
 * @param {number} count
 * @param {boolean} hasMore
 */
function countOf(count, hasMore) {
  if (count === 0) return 'Nobody was found.';
  const found = count === 1 ? 'One was found' : `${count} were found`;
  return hasMore ? `${found}, and there are more.` : `${found}.`;
}

/** @param {string} q */
function nobody(q) {
  return q === ''
    ? notice({
        title: 'Nobody has signed up yet',
        text: 'People who sign up at /chat.html are listed here.',
        level: 'h2',
      })
    : notice({
        title: `Nobody found for “${q}”`,
        text: 'The search knows parts of names, and e-mail addresses only whole.',
        level: 'h2',
      });
}
