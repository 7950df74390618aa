/**
 * What a CI system does when it reads a log: `::x::` (GitHub), `##[x]` and `##vso[x]` (Azure and others),
 * wherever they are. In a text that others wrote, one sign of each is written as an escape.
 */
const commands = /(?<=:):|(?<=#)#(?=[a-z]*\[)/gi;

/** What every command has; most texts have none of it, which is seen much sooner. */
function mayCommand(text: string): boolean {
  return text.includes('::') || text.includes('##');
}

/** With `\u003a` and `\u0023`: to be read in text, and the same value in JSON. */
export function breakCommands(text: string): string {
  if (!mayCommand(text)) return text;
  return text.replace(commands, (sign) => (sign === ':' ? '\\u003a' : '\\u0023'));
}

/** With character references: the same text in XML, HTML and Markdown. */
export function breakCommandsInMarkup(text: string): string {
  if (!mayCommand(text)) return text;
  return text.replace(commands, (sign) => (sign === ':' ? '&#58;' : '&#35;'));
}
