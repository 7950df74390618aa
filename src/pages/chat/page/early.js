// Runs before the first paint: the theme and the language chosen last, so that the page does not flash.
try {
  const theme = localStorage.getItem('chat-theme');
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
  const language = localStorage.getItem('chat-language');
  if (language) document.documentElement.lang = language;
} catch {
  // Storage is switched off: the system's preferences hold.
}
