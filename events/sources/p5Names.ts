/*
 * P5 sends names in a form of its own, in which ^2f is a colon, ^5c a backslash and ^5e a caret. Calls take this form only. P5 shows a
 * colon as a slash, as macOS does, which is why ^2f looks like one. A slash can't be part of a name in our paths, and the file itself has
 * a colon there.
 */

const characters: Record<string, string> = { '2f': ':', '5c': '\\', '5e': '^' }

/** The name of an entry as the file has it. */
export const shownName = (received: string): string =>
  received
    .replaceAll(/\^(2f|5c|5e)/gi, (_, code: string) => characters[code.toLowerCase()] ?? '')
    .replaceAll('/', ':')
    .toWellFormed()
