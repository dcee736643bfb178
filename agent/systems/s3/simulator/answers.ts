import type { StoredObject } from '../../objectEntry.ts'

/** Answer of the simulator: status, headers, and a body in pieces. */
export type Answered = { status: number; headers: Record<string, string>; body: Uint8Array[] }

/** An error as S3 words it. */
export type Refused = Answered & { code: string }

export function refused(status: number, code: string, message: string, facts: Record<string, string> = {}): Refused {
  const elements = Object.entries({ Code: code, Message: message, ...facts, RequestId: 'SIMULATED' })
  const headers: Record<string, string> = facts['Region'] ? { 'x-amz-bucket-region': facts['Region'] } : {}
  const body = `${declaration}<Error>${elements.map(([name, text]) => element(name, text)).join('')}</Error>`
  return { status, code, headers: { 'content-type': 'application/xml', ...headers }, body: [Buffer.from(body)] }
}

export const answered = (xml: (string | Uint8Array)[]): Answered => ({
  status: 200,
  headers: { 'content-type': 'application/xml' },
  body: [declaration, ...xml].map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
})

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

export const element = (name: string, text: string | number | boolean): string =>
  `<${name}>${escaped(String(text))}</${name}>`

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' }
const escaped = (text: string): string => text.replace(/[&<>"\r]/g, (character) => escapes[character] as string)

/** A key in the form of `encoding-type=url`, or unchanged. */
export const keyIn = (key: string, isEncoded: boolean): string =>
  isEncoded
    ? encodeURIComponent(key)
        .replaceAll('%2F', '/')
        .replaceAll('%20', '+')
        .replace(/[!'()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    : key

/** An object's entry in a list. */
export function contents(
  object: StoredObject,
  { isEncoded, withOwner }: { isEncoded: boolean; withOwner: boolean },
): string {
  const { key, size, modified, etag = '', storageClass, owner } = object
  const date = `${new Date(modified * 1_000).toISOString().slice(0, 19)}.000Z`
  const id = `${Buffer.from(owner ?? '')
    .toString('hex')
    .padEnd(64, '0')}`
  const ownedBy = withOwner && owner ? `<Owner>${element('ID', id)}${element('DisplayName', owner)}</Owner>` : ''
  return (
    `<Contents>${element('Key', keyIn(key, isEncoded))}<LastModified>${date}</LastModified><ETag>&quot;${etag}&quot;</ETag>` +
    `<Size>${size}</Size>${storageClass ? element('StorageClass', storageClass) : ''}${ownedBy}</Contents>`
  )
}
