import { trimEndOf } from '../../base/trim-end.js';
import { fold } from '../text/search.js';
import { data, dialog, find, findAll, fromTemplate, onClick, words, write } from './dom.js';
import { toast } from './toast.js';

/** Prepared answers by question. Every other question receives the fallback. */
const answers = new Map<string, string>();
let fallback = data.words.noAnswer;

/** Moves the answers from the page to memory. Without JavaScript, they stay readable in the page. */
function readAnswers(): void {
  for (const details of findAll('#answers > details')) {
    const question = find('summary', details)?.textContent ?? '';
    answers.set(normalized(question), find('summary ~ p', details)?.textContent ?? '');
  }
  fallback = find('#fallback')?.textContent || fallback;
  find('#answers')?.remove();
}

/** Normalizes a question for comparison. Case, whitespace and final punctuation do not matter. */
function normalized(question: string): string {
  return trimEndOf(fold(question).split(/\s+/).join(' ').trim(), ' ?!.');
}

function openChat(): void {
  dialog('assistant')?.showModal();
  const input = find('#chat .ask input');
  input?.focus();
  input?.scrollIntoView({ block: 'nearest' });
}

function ask(question: string): void {
  const log = find('#chat .messages');
  if (!log || question.trim() === '') return;
  const line = document.createElement('p');
  line.className = 'message mine';
  line.textContent = question;
  const answer = fromTemplate('#chat .message-template');
  write(find('p', answer), answers.get(normalized(question)) ?? fallback);
  log.append(line, answer);
  log.scrollTop = log.scrollHeight;
}

export function startChat(): void {
  readAnswers();
  onClick('[data-open-chat]', openChat);
  onClick('[data-ask]', ({ dataset }) => ask(dataset.ask ?? ''));
  onClick('[data-artifact-action]', ({ dataset: { artifactAction: action = '' } }) => {
    if (find('#chat')) ask(action);
    else toast(words(data.words.application, { action }));
  });
  find<HTMLFormElement>('#chat .ask')?.addEventListener('submit', (event) => {
    event.preventDefault();
    const input = find<HTMLInputElement>('#chat .ask input');
    if (!input) return;
    ask(input.value);
    input.value = '';
  });
}
