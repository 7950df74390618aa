import type { Finding } from '../../findings/finding.js';
import { markFindings, reveal } from './marks.js';

interface State {
  readonly version: number;
  readonly current: boolean;
  readonly drawable: boolean;
  readonly findings: readonly Finding[];
  readonly locale: string;
}

function need<T extends Element>(selector: string): T {
  const element = document.querySelector<T>(selector);
  if (!element) throw new Error(`The preview has no ${selector}.`);
  return element;
}

const frame = need<HTMLIFrameElement>('#screen');
const form = need<HTMLFormElement>('form');
const list = need<HTMLElement>('#list');
const stage = need<HTMLElement>('main');
const stateLine = need<HTMLElement>('#state');
const toggle = need<HTMLButtonElement>('#toggle');
const panel = need<HTMLElement>('#panel');
let findings: readonly Finding[] = [];
let shown = '';

/** Loads the screen with the selected settings, and keeps the scroll position. */
function load(): void {
  const settings = new URLSearchParams();
  for (const select of form.querySelectorAll('select')) {
    if (select.value && select.name !== 'window') settings.set(select.name, select.value);
  }
  const hash = frame.contentWindow?.location.hash ?? '';
  const top = frame.contentWindow?.scrollY ?? 0;
  frame.addEventListener(
    'load',
    () => {
      frame.contentWindow?.scrollTo(0, top);
      markFindings(frame, findings);
    },
    { once: true },
  );
  shown = `/screen?${settings}`;
  frame.contentWindow?.location.replace(shown + hash);
  // The browser does not reload a page if only the fragment differs.
  if (hash) frame.contentWindow?.location.reload();
}

function resize(): void {
  const width = need<HTMLSelectElement>('[name="window"]').value;
  stage.classList.toggle('sized', width !== '');
  frame.style.width = width && `${width}px`;
}

async function update(): Promise<void> {
  const state: State = await (await fetch('/state')).json();
  findings = state.findings;
  if (shown === '') need<HTMLSelectElement>('[name="locale"]').value = state.locale;
  writeFindings();
  stage.classList.toggle('stale', !state.current);
  stateLine.textContent = state.current
    ? ''
    : state.drawable
      ? 'Invalid JSON. This is the last valid version.'
      : 'Invalid JSON.';
  if (state.current || shown === '') load();
}

function writeFindings(): void {
  need('#count').textContent = String(findings.length);
  if (findings.length === 0) {
    const none = document.createElement('p');
    none.className = 'none';
    none.textContent = 'No findings.';
    list.replaceChildren(none);
    return;
  }
  list.replaceChildren(...findings.flatMap(findingItem));
}

function findingItem(finding: Finding): HTMLElement[] {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = `finding ${finding.severity}`;
  const head = document.createElement('b');
  head.textContent = `${finding.severity}: ${finding.rule}`;
  const position = document.createElement('small');
  position.textContent = `${finding.line}:${finding.column} ${finding.location}`;
  button.append(head, finding.message, position);
  button.addEventListener('click', () => reveal(frame, finding));
  if (finding.rule !== 'json-syntax') return [button];
  const source = document.createElement('pre');
  source.textContent = finding.frame.map(({ number, text }) => `${number} | ${text}`).join('\n');
  return [button, source];
}

form.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLSelectElement && target.name === 'window') resize();
  else load();
});
toggle.addEventListener('click', () => {
  panel.hidden = !panel.hidden;
  toggle.ariaExpanded = String(!panel.hidden);
});

let seen = '';
new EventSource('/events').addEventListener('message', ({ data }) => {
  if (data === seen) return;
  seen = data;
  void update();
});
