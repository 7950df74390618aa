/** Shows rows, and leaves unchanged ones alone: nothing flickers, and an open or focused element stays so. */
export function createKeyedRows<Item>(body: HTMLElement, draw: (item: Item) => HTMLElement) {
  let shown: Map<string, { text: string; element: HTMLElement }> = new Map();

  return (items: readonly (Item & { id: string })[]) => {
    const next: typeof shown = new Map();
    for (const item of items) {
      const text = JSON.stringify(item);
      const known = shown.get(item.id);
      next.set(item.id, known?.text === text ? known : { text, element: draw(item) });
    }
    const focused = document.activeElement?.closest('[data-id]')?.getAttribute('data-id');
    const elements = [...next.values()].map(({ element }) => element);
    for (const child of [...body.children]) {
      if (!elements.includes(child as HTMLElement)) child.remove();
    }
    elements.forEach((element, index) => {
      if (body.children[index] !== element)
        body.insertBefore(element, body.children[index] ?? null);
    });
    // A redrawn row has lost the focus, which goes to its first link.
    const lost = focused && !body.contains(document.activeElement);
    if (lost) next.get(focused)?.element.querySelector('a')?.focus();
    shown = next;
  };
}
