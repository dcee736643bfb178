// Runs before the first paint, so that a page in dark colours never flashes white.
;(function () {
  let chosen = null
  try {
    chosen = localStorage.getItem('colorScheme')
    // oxlint-disable-next-line no-unused-vars -- Chromium 63 on a wall display can't read a catch without a name.
  } catch (_) {
    // Storage may be blocked; the system's scheme is used then.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light'
})()
