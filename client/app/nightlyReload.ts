const hourMs = 60 * 60_000

/** A page that stays open for weeks begins anew in the hour after five in the morning. Gives back how to stop. */
export function reloadNightly(): () => void {
  const timer = setInterval(() => new Date().getHours() === 5 && location.reload(), hourMs)
  return () => clearInterval(timer)
}
