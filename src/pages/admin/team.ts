import type { AddedAdmin, AdminList } from '#validators/admins';
import { h, notice } from '../shared/dom.ts';
import { formatDate } from '../shared/format.ts';
import { showCode } from './code-dialog.ts';
import { ask } from './dialogs.ts';
import { explain } from './errors.ts';
import { iconButton, loadFailure, type ViewOptions } from './parts.ts';

type Admin = AdminList['admins'][number];

const address = '/api/admin/admins';
const roles = ['owner', 'editor', 'orders'] as const;

/** The people who work on the shop: adds them, shows their token once, and revokes it. */
export function showTeam({ place, words, api, toast }: ViewOptions) {
  const { frame, team } = words;
  const list = h('div', { 'aria-busy': 'true' });
  const problem = h('p', { class: 'error', role: 'alert' });
  const name = h('input', { class: 'input', id: 'team-name', maxlength: 64, required: true });
  const role = h(
    'select',
    { class: 'input', id: 'team-role' },
    roles.map((each) => h('option', { value: each, text: team[each] })),
  );
  const form = h(
    'form',
    { class: 'team-form', novalidate: true, hidden: true, onsubmit: (event) => add(event) },
    h('label', { class: 'label', for: 'team-name', text: team.name }),
    name,
    h('label', { class: 'label', for: 'team-role', text: team.role }),
    role,
    h('button', { class: 'button primary', type: 'submit', text: team.add }),
    problem,
  );
  place.replaceChildren(
    h('div', { class: 'view-head' }, h('h1', { tabindex: '-1', text: frame.team })),
    h('p', { class: 'lead', text: team.lead }),
    list,
    form,
  );

  const load = async () => {
    try {
      draw((await api<AdminList>(address)).admins);
      form.hidden = false;
    } catch (error) {
      list.replaceChildren(
        error.code === 'no_admin_token'
          ? notice({ title: words.people.noToken, text: words.people.noTokenText, level: 'h2' })
          : loadFailure(team.notLoaded, error, words, load),
      );
    }
    list.setAttribute('aria-busy', 'false');
  };

  const draw = (admins: readonly Admin[]) => {
    if (admins.length === 0) {
      list.replaceChildren(notice({ title: team.none, text: team.noneText, level: 'h2' }));
      return;
    }
    list.replaceChildren(h('ul', { class: 'rows', role: 'list' }, admins.map(row)));
  };

  const row = (admin: Admin) =>
    h(
      'li',
      { class: 'row team-row' },
      h(
        'div',
        { class: 'row-text' },
        h('p', { class: 'person-name', text: admin.name }),
        h('p', { class: 'row-note', text: team[admin.role] }),
        h('p', { class: 'row-note', text: team.since(formatDate(admin.addedAt, words)) }),
      ),
      h(
        'div',
        { class: 'row-actions' },
        iconButton('trash', team.revoke(admin.name), () => revoke(admin)),
      ),
    );

  const add = async (event: Event) => {
    event.preventDefault();
    problem.textContent = '';
    const wanted = name.value.trim();
    if (wanted === '') {
      problem.textContent = words.faults.required;
      return name.focus();
    }
    try {
      const body = { name: wanted, role: role.value };
      const { admin, token } = await api<AddedAdmin>(address, { method: 'POST', body });
      name.value = '';
      await load();
      const steps = [team.step1(`${location.origin}/admin.html`), team.step2];
      const [title, text] = [team.tokenTitle(admin.name), team.tokenText];
      showCode({ title, text, label: team.tokenLabel, code: token, steps }, words);
    } catch (error) {
      const reason = error.status === 409 ? team.nameTaken : explain(error, words);
      problem.textContent = `${team.notAdded(wanted)} ${reason}`;
      name.focus();
    }
  };

  const revoke = async (admin: Admin) => {
    const sure = await ask({
      title: team.revokeQuestion(admin.name),
      text: team.revokeText,
      yes: team.revokeYes,
      no: words.cancel,
    });
    if (!sure) return;
    try {
      await api(`${address}/${encodeURIComponent(admin.name)}`, { method: 'DELETE' });
      toast.show(team.revoked(admin.name));
    } catch (error) {
      const reason = error.status === 409 ? team.lastOwner : explain(error, words);
      toast.show(`${team.notRevoked(admin.name)} ${reason}`, { failed: true });
    }
    await load();
    name.focus();
  };

  return { title: frame.team, isDirty: () => name.value !== '', ready: load().then(() => false) };
}
