/** A file name, or a path, with one character for each byte. Names that are not UTF-8 keep their bytes. */
export type Name = string

export const nameOf = (text: string | Uint8Array): Name => Buffer.from(text).toString('latin1')

const bytesOf = (name: Name): Buffer => Buffer.from(name, 'latin1')

/** Returns the text of a name. Stray bytes become U+FFFD. */
export const textOf = (name: Name): string => bytesOf(name).toString()

/** Returns the names between the slashes of a path. */
export const namesOf = (path: string | Uint8Array): Name[] =>
  nameOf(path)
    .split('/')
    .filter((name) => name !== '')

/** Decodes a path of an address to bytes. Returns undefined where a percent sign starts no code. */
export function decodedPath(path: string): Name | undefined {
  if (!path.includes('%')) return path
  if (/%(?![0-9a-f]{2})/i.test(path)) return undefined
  return path.replaceAll(/%(..)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
