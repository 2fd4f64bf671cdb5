// Before the first paint, so that a dark page never flashes white. A file, because the content security policy refuses
// inline scripts. Its name has a number, because /assets may be cached for good: a change here takes the next one.
;(() => {
  let chosen = null
  try {
    chosen = localStorage.getItem('parley-color-scheme')
  } catch {
    // Storage may be switched off; the system's choice then holds.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()
