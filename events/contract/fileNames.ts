/**
 * Names that are not UTF-8 cross the wire with each stray byte as one character of Unicode's private use area:
 * U+EF80 + byte − 128. Reading them back gives the bytes of the disk again.
 */
const first = 0xef80

/** The text of a name as the disk has it, in bytes. */
export function nameFromBytes(bytes: Uint8Array): string {
  const text = decode(bytes)
  if (text !== undefined && !hasStray(text)) return text
  let name = ''
  for (let at = 0; at < bytes.length;) {
    const length = lengthOfCharacter(bytes, at)
    const character = length > 0 ? decode(bytes.subarray(at, at + length)) : undefined
    const stray = character === undefined || hasStray(character)
    const taken = stray ? 1 : length
    name += stray ? strayOrAscii(bytes[at] as number) : character
    at += taken
  }
  return name
}

/** The bytes of a name that `nameFromBytes` or the agent's listing gave. */
export function bytesOfName(name: string): Buffer {
  if (!hasStray(name)) return Buffer.from(name, 'utf8')
  return Buffer.concat(
    [...name].map((character) => {
      const byte = strayByte(character)
      return byte === undefined ? Buffer.from(character, 'utf8') : Buffer.from([byte])
    }),
  )
}

/** True if a name has stray bytes, so that only its bytes open it. */
export const hasStray = (name: string): boolean => /[\uef80-\uefff]/.test(name)

/** True for a name that a file or folder can have. Keys of object stores may have others between slashes. */
export const isFileName = (name: string): boolean => !/^\.{0,2}$|[/\0]/.test(name)

/** True for a `parent_path` whose names folders can have. */
export const isFolderPath = (parentPath: string): boolean => !/\/\.{0,2}\/|\0/.test(parentPath)

/** False for a path that can't be sent to other systems as text, since a name in it isn't valid UTF-8 or has a NUL. */
export const isText = (path: string): boolean => path.isWellFormed() && !hasStray(path) && !path.includes('\0')

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
function decode(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}

const strayOrAscii = (byte: number) => String.fromCharCode(byte < 128 ? byte : first + byte - 128)

function strayByte(character: string): number | undefined {
  const code = character.codePointAt(0) as number
  return code >= first && code < first + 128 ? code - first + 128 : undefined
}

function lengthOfCharacter(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] as number
  const length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0
  return at + length <= bytes.length ? length : 0
}
