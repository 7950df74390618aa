// Applies the chosen theme and language before the first paint, so that the page does not flash.
try {
  const theme = localStorage.getItem('chat-theme');
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
  const language = localStorage.getItem('chat-language');
  if (language) document.documentElement.lang = language;
} catch {
  // Without storage, the system's preferences apply.
}
