import type { Question, Terminal } from './question.js';

/** Asks for a line at the terminal. Throws `interrupted` on Ctrl+C. */
export async function ask(terminal: Terminal, question: Question): Promise<string> {
  const { initial } = question;
  const asked = initial === undefined ? question : withInitial(question, initial);
  const how = terminal.plain ? import('./ask-line.js') : import('./ask-drawn.js');
  return (await (await how).ask(terminal, asked)) || (initial ?? '');
}

function withInitial(question: Question, initial: string): Question {
  const { label, check, show = (answer) => answer } = question;
  return {
    ...question,
    label: label.replace(/:$/, ` [${initial}]:`),
    ...(check ? { check: (answer) => check(answer || initial) } : {}),
    show: (answer) => show(answer || initial),
  };
}

/** Asks a question that Enter or `y` answers with yes where `byDefault` is true, `y` alone otherwise. */
export async function confirm(
  terminal: Terminal,
  question: string,
  byDefault: boolean,
): Promise<boolean> {
  const answer = await ask(terminal, {
    label: `${question} ${byDefault ? '[Y/n]' : '[y/N]'}`,
    check: (text) => (/^(y|yes|n|no|)$/i.test(text) ? undefined : 'Answer y or n.'),
    show: (text) => (isYes(text, byDefault) ? 'yes' : 'no'),
  });
  return isYes(answer, byDefault);
}

function isYes(answer: string, byDefault: boolean): boolean {
  return answer === '' ? byDefault : /^y/i.test(answer);
}
