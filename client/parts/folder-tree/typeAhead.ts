/** How long letters count as the beginning of one name, in milliseconds. */
const pause = 700

/** The letters that are typed one after the other, by a clock in milliseconds. */
export function typeAhead(now = () => performance.now()) {
  let typed = ''
  let until = -Infinity
  const isUnderWay = () => now() < until
  return {
    isUnderWay,
    /** What names begin with; other signs, and m or a space when it is no part of a name, are keys of the page. */
    takes: (key: string): boolean => /^[\p{L}\p{N} ._-]$/u.test(key) && (isUnderWay() || (key !== 'm' && key !== ' ')),
    /** Takes a letter; returns all that was typed of the name. */
    type(letter: string): string {
      typed = (isUnderWay() ? typed : '') + letter
      until = now() + pause
      return typed
    },
  }
}
