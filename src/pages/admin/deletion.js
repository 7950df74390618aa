import { ask } from './dialogs.js';

/**
 * Deletes things of a list after a question, and undoes it: the service keeps what was deleted, and brings it back
 * under the same number and in its old position.
 *
 * @param {object} options
 * @param {string} options.path of the list, such as `/api/admin/products`
 * @param {import('./session.js').Api} options.api
 * @param {import('./dialogs.js').Toast} options.toast
 * @param {import('./recently-deleted.js').RecentlyDeleted} options.recent
 * @param {(id: number) => unknown} options.removed
 * @param {(id: number) => Promise<unknown>} options.restored
 * @param {() => unknown} options.reload
 */
export function createDeletion({ path, api, toast, recent, removed, restored, reload }) {
  /**
   * @param {{ id: number, title: string }} thing
   * @param {string} explanation
   */
  const remove = async ({ id, title }, explanation) => {
    const sure = await ask({ title: `Delete “${title}”?`, text: explanation, yes: 'Delete' });
    if (!sure) return;
    try {
      await api(`${path}/${id}`, { method: 'DELETE' });
    } catch (error) {
      toast.show(`“${title}” was not deleted. ${error.message}`, { failed: true });
      if (error.status === 404) await reload();
      return;
    }
    recent.add({ id, title });
    removed(id);
    toast.show(`“${title}” was deleted.`, {
      focus: true,
      action: { label: 'Undo', run: () => restore({ id, title }) },
    });
  };

  /** @param {{ id: number, title: string }} thing */
  const restore = async ({ id, title }) => {
    try {
      await api(`${path}/${id}/restore`, { method: 'POST' });
    } catch (error) {
      if (error.status === 404 || error.status === 409) recent.remove(id);
      toast.show(`“${title}” could not be restored. ${error.message}`, {
        failed: true,
        ...(error.status === 404 || error.status === 409
          ? {}
          : { action: { label: 'Try again', run: () => restore({ id, title }) } }),
      });
      return;
    }
    recent.remove(id);
    toast.show(`“${title}” is back.`);
    await restored(id);
  };

  return { remove, restore };
}
