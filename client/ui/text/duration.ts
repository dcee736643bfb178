const two = (count: number) => String(count).padStart(2, '0')

/** `1.2 s` below ten seconds, then as a duration. */
export const ageText = (ms: number): string =>
  ms < 9_950 ? `${(Math.max(0, ms) / 1_000).toFixed(1)} s` : durationText(ms)

/** `840 ms`, `42 s`, `3 min 08 s`, `1 h 04 min`, `2 d 03 h`, from milliseconds. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`
  const seconds = Math.floor(ms / 1_000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${two(seconds % 60)} s`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return `${hours} h ${two(minutes % 60)} min`
  return `${Math.floor(hours / 24)} d ${two(hours % 24)} h`
}

/** `1:04:09` or `0:12`, from seconds. */
export function clockText(seconds: number): string {
  const whole = Math.round(seconds)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}`
}
