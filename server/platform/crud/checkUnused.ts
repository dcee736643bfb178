import { compareNames } from '#events/contract/names.ts'
import { conflict } from '#server/platform/problem.ts'

/** Throws 409 while `users`, the rows that use a row, are not empty. `message` receives the first few names. */
export async function checkUnused(
  users: Promise<{ name: string }[]>,
  message: (names: string) => string,
): Promise<void> {
  const names = (await users).map(({ name }) => name)
  if (names.length > 0) conflict(message(someNames(names.sort(compareNames))))
}

/** Maximum number of names in the message; the rest are counted. */
const shown = 5

/** `A, B and C`; for many names the first ones and the number of others. */
function someNames(names: string[]): string {
  const first = names.slice(0, shown)
  if (names.length > shown) first.push(`${names.length - shown} more`)
  return new Intl.ListFormat('en-GB').format(first)
}
