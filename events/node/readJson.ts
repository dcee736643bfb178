import { TooLong } from './jsonMeter.ts'
import { ReaderEnded, startReader } from './readerProcess.ts'

/** Bytes of JSON from which another process parses it: here, it would hold up everything else. */
const largeFrom = 2 * 1024 ** 2
const defaultTimeoutMs = 30_000

const program = new URL('jsonProcess.ts', import.meta.url)

/** A function in place of `JSON.parse`, and its module, which exports it as `parseJson`. */
type JsonParser = { module: URL; parseJson: (bytes: Uint8Array) => unknown }

/** Parts of a value. A value that is a list, or neither a list nor an object, has the name ''. */
export type FromJsonProcess =
  | { type: 'values'; fields: [name: string, value: unknown][] }
  | { type: 'items'; name: string; items: unknown[] }
  | { type: 'end'; isList: boolean }
  | { type: 'failed'; reason: string; isTooLong: boolean }

/**
 * Parses JSON from outside that was measured before. Large JSON is parsed by a process that can be ended, and arrives in parts. Throws
 * `SyntaxError`, or `TooLong` if that takes more than 30 s or too much memory, or if a part is too long.
 */
export async function readJson(
  bytes: Uint8Array,
  { module, parseJson }: Partial<JsonParser> = {},
  timeoutMs = defaultTimeoutMs,
): Promise<unknown> {
  if (bytes.length < largeFrom) return (parseJson ?? parsePlain)(bytes)
  const reader = startReader<FromJsonProcess>(program, { argument: module?.href ?? '', bytes })
  const fields = new Map<string, unknown>()
  try {
    for (;;) {
      const part = await reader.next(timeoutMs, 'parsing it', 'next')
      if (part.type === 'end') return part.isList ? fields.get('') : Object.fromEntries(fields)
      if (part.type === 'failed') throw new (part.isTooLong ? TooLong : SyntaxError)(part.reason)
      addPart(fields, part)
    }
  } catch (error) {
    throw error instanceof ReaderEnded ? new TooLong(error.message) : error
  } finally {
    reader.stop()
  }
}

function addPart(fields: Map<string, unknown>, part: Extract<FromJsonProcess, { type: 'values' | 'items' }>): void {
  if (part.type === 'values') for (const [name, value] of part.fields) fields.set(name, value)
  else {
    const list = (fields.get(part.name) ?? []) as unknown[]
    for (const item of part.items) list.push(item)
    fields.set(part.name, list)
  }
}

const parsePlain = ({ buffer, byteOffset, byteLength }: Uint8Array): unknown =>
  JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString())
