/**
 * Gathers what comes in and hands it over once per animation frame. A hidden page draws no frames; there it is handed
 * over each second, so that nothing piles up.
 */
export function perFrame<T>(take: (gathered: T[]) => void): (item: T) => void {
  let gathered: T[] = []
  let frame = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const flush = () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    const taken = gathered
    gathered = []
    take(taken)
  }
  return (item) => {
    gathered.push(item)
    if (gathered.length > 1) return
    frame = requestAnimationFrame(flush)
    timer = setTimeout(flush, 1_000)
  }
}
