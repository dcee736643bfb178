/*
 * Details of P5's REST API that no public source confirms. Everything here accepts each reading, and is the only place that
 * depends on one.
 */

/** Paths of a call of the group `general`, in the order to try: an old capture of P5 has no groups. */
export const generalPaths = (call: string): [string, string] => [`general/${call}`, call]

/** Paths that may list the top level of an index. Some versions don't list it. */
export const rootPaths = ['inventory/', 'inventory'] as const

/** Folders at the top of an index whose top level can't be listed: those of macOS and of Linux. */
export const usualTopFolders = ['Volumes', 'mnt']

/** A header value for Node, which refuses most letters: those are percent-encoded as UTF-8. */
export const headerValue = (value: string): string => (/^[\x20-\x7e]*$/.test(value) ? value : encodeURIComponent(value))

/** Property of an object, in any spelling: `deletefiles` finds `deleteFiles` and `DELETE_FILES`. */
export function propertyOf(object: object, name: string): unknown {
  const found = Object.entries(object).find(([key]) => key.toLowerCase().replaceAll(/[_ -]/g, '') === name)
  return found?.[1]
}

/** Text of a property; '' for none, which P5 may write as `<empty>`. */
export function textOfProperty(object: object, name: string): string {
  const value = propertyOf(object, name)
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  return text === '<empty>' ? '' : text
}

/** A number, which may be a text; undefined for none. */
export function numberOfProperty(object: object, name: string): number | undefined {
  const text = textOfProperty(object, name).trim()
  return /^-?\d+(\.\d+)?$/.test(text) ? Math.floor(Number(text)) : undefined
}

/** A boolean, which may be a number or a text. */
export const isSet = (object: object, name: string): boolean =>
  propertyOf(object, name) === true || /^(1|true|yes|on)$/i.test(textOfProperty(object, name))

/** IDs of the volumes of an inventory entry, as a list or a text with blanks between them. */
export function volumeIdsOf(entry: object): string[] {
  const value = ['volumes', 'volume', 'volumeid', 'volumeids'].map((name) => propertyOf(entry, name)).find(Boolean)
  const list = Array.isArray(value) ? (value as unknown[]) : [value]
  return list
    .flatMap((each) => (typeof each === 'number' || typeof each === 'string' ? `${each}`.split(/[\s,]+/) : []))
    .filter((id) => id !== '' && id !== '<empty>')
}

/** Only the word for directories is confirmed; everything else is a file. */
export const isDirectory = (entry: object): boolean => /^directory$/i.test(textOfProperty(entry, 'type'))
