// Runs before the first paint: the theme seen last, so that the page does not flash in the other one.
try {
  const theme = localStorage.getItem('site-theme');
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is switched off: the system's preference holds until the settings arrive.
}
