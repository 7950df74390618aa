import type { Finding } from '../../findings/finding.js';

/** Applied inside the previewed screen, whose policy does not restrict constructed style sheets. */
const style = `
[data-finding]{outline:2px dashed var(--finding)!important;outline-offset:2px}
[data-finding=error]{--finding:#d3392b}[data-finding=warning]{--finding:#c77700}[data-finding=info]{--finding:#2f6fe0}
[data-finding].revealed{outline-style:solid!important;outline-width:4px!important}`;

const rank = { error: 0, warning: 1, info: 2 } as const;

/** Outlines the parts of the screen that have findings, in the colour of their most severe finding. */
export function markFindings(frame: HTMLIFrameElement, findings: readonly Finding[]): void {
  const { contentDocument: page, contentWindow: view } = frame;
  if (!page || !view) return;
  const sheet = new (view as Window & typeof globalThis).CSSStyleSheet();
  sheet.replaceSync(style);
  page.adoptedStyleSheets = [sheet];
  for (const finding of [...findings].sort((a, b) => rank[b.severity] - rank[a.severity])) {
    const element = elementFor(page, finding.path);
    if (!element) continue;
    element.setAttribute('data-finding', finding.severity);
    const before = element.getAttribute('title');
    element.setAttribute('title', before ? `${finding.message}\n${before}` : finding.message);
  }
}

/** Returns the element that shows the value at a JSON Pointer, or the nearest element that contains it. */
function elementFor(page: Document, path: string): Element | null {
  for (let pointer = path; pointer !== ''; pointer = pointer.slice(0, pointer.lastIndexOf('/'))) {
    const found = page.querySelector(`[data-at="${CSS.escape(pointer)}"]`);
    if (found) return found;
  }
  return page.querySelector('#main');
}

/** Scrolls to the part of the screen to which a finding belongs. */
export function reveal(frame: HTMLIFrameElement, { path }: Finding): void {
  const page = frame.contentDocument;
  const element = page && elementFor(page, path);
  if (!element || !frame.contentWindow) return;
  const view = element.closest('.view');
  if (view && !view.classList.contains('on')) frame.contentWindow.location.hash = view.id;
  const dialog = element.closest('dialog');
  if (dialog && !dialog.open) dialog.showModal();
  setTimeout(() => {
    for (const other of page.querySelectorAll('.revealed')) other.classList.remove('revealed');
    element.classList.add('revealed');
    element.scrollIntoView({ block: 'center' });
  }, 50);
}
