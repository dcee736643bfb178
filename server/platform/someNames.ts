/** More names than these are only counted. */
const shown = 5

/** `A, B and C`; of many names the first ones and how many more. */
export function someNames(names: string[]): string {
  const first = names.slice(0, shown)
  if (names.length > shown) first.push(`${names.length - shown} more`)
  return new Intl.ListFormat('en-GB').format(first)
}
