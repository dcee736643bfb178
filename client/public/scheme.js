// Runs before the first paint, so that a page in dark colours never flashes white.
;(function () {
  let chosen = null
  try {
    chosen = localStorage.getItem('colorScheme')
  } catch {
    // Storage may be blocked; the system's scheme is used then.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light'
})()
