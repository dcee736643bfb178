const hourMs = 60 * 60_000

/** Reloads long-running pages between 5 and 6 a.m. local time. Returns a function that stops it. */
export function reloadNightly(): () => void {
  const timer = setInterval(() => new Date().getHours() === 5 && location.reload(), hourMs)
  return () => clearInterval(timer)
}
