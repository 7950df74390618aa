import type { Toast } from './dialogs.ts';
import { ask } from './dialogs.ts';
import { explain } from './errors.ts';
import type { RecentlyDeleted } from './recently-deleted.ts';
import type { Api } from './session.ts';
import type { Words } from './words/en.ts';

/**
 * Deletes things of a list after a question, and undoes it: the service keeps deleted things, and restores them with
 * the same ID and position.
 */
export function createDeletion({
  words,
  path,
  api,
  toast,
  recent,
  removed,
  restored,
  reload,
}: {
  words: Words;
  /** of the list, such as `/api/admin/products` */
  path: string;
  api: Api;
  toast: Toast;
  recent: RecentlyDeleted;
  removed: (id: number) => unknown;
  restored: (id: number) => Promise<unknown>;
  reload: () => unknown;
}) {
  const { deletion } = words;

  const remove = async ({ id, title }: { id: number; title: string }, explanation: string) => {
    const sure = await ask({
      title: deletion.question(title),
      text: explanation,
      yes: words.delete,
      no: words.cancel,
    });
    if (!sure) return;
    try {
      await api(`${path}/${id}`, { method: 'DELETE' });
    } catch (error) {
      toast.show(`${deletion.notDeleted(title)} ${explain(error, words)}`, { failed: true });
      if (error.status === 404) await reload();
      return;
    }
    recent.add({ id, title });
    removed(id);
    toast.show(deletion.deleted(title), {
      focus: true,
      action: { label: words.undo, run: () => restore({ id, title }) },
    });
  };

  const restore = async ({ id, title }: { id: number; title: string }) => {
    try {
      await api(`${path}/${id}/restore`, { method: 'POST' });
    } catch (error) {
      if (error.status === 404 || error.status === 409) recent.remove(id);
      toast.show(`${deletion.notRestored(title)} ${explain(error, words)}`, {
        failed: true,
        ...(error.status === 404 || error.status === 409
          ? {}
          : { action: { label: words.tryAgain, run: () => restore({ id, title }) } }),
      });
      return;
    }
    recent.remove(id);
    toast.show(deletion.restored(title));
    await restored(id);
  };

  return { remove, restore };
}
