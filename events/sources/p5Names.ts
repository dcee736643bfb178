import { hasStray, nameFromBytes } from '../contract/fileNames.ts'

/*
 * P5 sends names in a form of its own, in which a caret and two hexadecimal digits stand for a byte: ^2f for a colon, ^5c for a backslash and
 * ^5e for a caret, and perhaps others. Calls take this form only. P5 shows a colon as a slash, as macOS does, which is why ^2f looks like one.
 * A slash can't be part of a name in our paths, and the file itself has a colon there.
 */

/** A caret code, or several. No name has a NUL. */
const codes = /((?:\^(?!00)[0-9a-f]{2})+)/i

/** The name of an entry as the file has it. Codes of bytes that aren't UTF-8 become stray bytes, as in scans of disks. */
export function shownName(received: string): string {
  const name = codes.test(received) || hasStray(received) ? nameFromBytes(bytesOf(received)) : received
  return name.replaceAll('/', ':').toWellFormed()
}

const bytesOf = (received: string): Buffer =>
  Buffer.concat(
    received
      .split(codes)
      .map((part, i) => (i % 2 === 1 ? Buffer.from(part.replaceAll('^', ''), 'hex') : Buffer.from(part))),
  )
