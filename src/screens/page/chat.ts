import { data, dialog, find, findAll, fromTemplate, onClick, write } from './dom.js';
import { fold } from './rows.js';
import { toast } from './toast.js';

/** Prepared answers by their question; nothing else is ever answered. */
const answers = new Map<string, string>();
let fallback = data.words.noAnswer;

/** Takes the answers out of the page, where those without JavaScript read them. */
function readAnswers(): void {
  for (const details of findAll('#answers > details')) {
    const question = find('summary', details)?.textContent ?? '';
    answers.set(fold(question), find('summary ~ p', details)?.textContent ?? '');
  }
  fallback = find('#fallback')?.textContent || fallback;
  find('#answers')?.remove();
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
  const asked = document.createElement('p');
  asked.className = 'message mine';
  asked.textContent = question;
  const answer = fromTemplate('#chat .message-template');
  write(find('p', answer), answers.get(fold(question)) ?? fallback);
  log.append(asked, answer);
  log.scrollTop = log.scrollHeight;
}

export function startChat(): void {
  readAnswers();
  onClick('[data-open-chat]', openChat);
  onClick('[data-ask]', ({ dataset }) => ask(dataset.ask ?? ''));
  onClick('[data-artifact-action]', ({ dataset: { artifactAction: action = '' } }) => {
    if (find('#chat')) ask(action);
    else toast(data.words.application.replace('{action}', action));
  });
  find<HTMLFormElement>('#chat .ask')?.addEventListener('submit', (event) => {
    event.preventDefault();
    const input = find<HTMLInputElement>('#chat .ask input');
    if (!input) return;
    ask(input.value);
    input.value = '';
  });
}
