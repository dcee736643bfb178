import { conflict } from '#server/platform/problem.ts'

/**
 * Throws 409 while something uses what is to be removed: `users` are the rows that do, and `message` makes of the first few
 * names what users read.
 */
export async function checkUnused(
  users: Promise<{ name: string }[]>,
  message: (names: string) => string,
): Promise<void> {
  const names = (await users).map(({ name }) => name)
  if (names.length > 0) conflict(message(someNames(names.sort((a, b) => a.localeCompare(b)))))
}

/** More names than these are only counted. */
const shown = 5

/** `A, B and C`; of many names the first ones and how many more. */
function someNames(names: string[]): string {
  const first = names.slice(0, shown)
  if (names.length > shown) first.push(`${names.length - shown} more`)
  return new Intl.ListFormat('en-GB').format(first)
}
