import type { Finding } from '../../findings/finding.js';

/** Applied inside the previewed screen; its policy does not restrict constructed style sheets. */
const style = `
[data-finding]{outline:2px dashed var(--finding)!important;outline-offset:2px}
[data-finding=error]{--finding:#d3392b}[data-finding=warning]{--finding:#c77700}[data-finding=info]{--finding:#2f6fe0}
[data-finding].revealed{outline-style:solid!important;outline-width:4px!important}`;

const rank = { error: 0, warning: 1, info: 2 } as const;

/** Outlines the part of the screen that each finding concerns, in the colour of the worst finding. */
export function markFindings(frame: HTMLIFrameElement, findings: readonly Finding[]): void {
  const { contentDocument: page, contentWindow: view } = frame;
  if (!page || !view) return;
  const sheet = new (view as Window & typeof globalThis).CSSStyleSheet();
  sheet.replaceSync(style);
  page.adoptedStyleSheets = [sheet];
  for (const finding of [...findings].sort((a, b) => rank[b.severity] - rank[a.severity])) {
    const place = placeOf(page, finding.path);
    if (!place) continue;
    place.setAttribute('data-finding', finding.severity);
    const before = place.getAttribute('title');
    place.setAttribute('title', before ? `${finding.message}\n${before}` : finding.message);
  }
}

/** Returns the part that shows the value at a pointer, or the nearest part around it. */
function placeOf(page: Document, path: string): Element | null {
  for (let pointer = path; pointer !== ''; pointer = pointer.slice(0, pointer.lastIndexOf('/'))) {
    const found = page.querySelector(`[data-at="${CSS.escape(pointer)}"]`);
    if (found) return found;
  }
  return page.querySelector('#main');
}

/** Scrolls to the part that a finding concerns. */
export function reveal(frame: HTMLIFrameElement, { path }: Finding): void {
  const page = frame.contentDocument;
  const place = page && placeOf(page, path);
  if (!place || !frame.contentWindow) return;
  const view = place.closest('.view');
  if (view && !view.classList.contains('on')) frame.contentWindow.location.hash = view.id;
  const dialog = place.closest('dialog');
  if (dialog && !dialog.open) dialog.showModal();
  setTimeout(() => {
    for (const other of page.querySelectorAll('.revealed')) other.classList.remove('revealed');
    place.classList.add('revealed');
    place.scrollIntoView({ block: 'center' });
  }, 50);
}
