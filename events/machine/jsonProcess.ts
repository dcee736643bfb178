import type { FromJsonProcess, JsonParser } from './readJson.ts'

/*
 * The process in which large JSON is parsed: see `readJson.ts`. It reads its standard input, and sends the next part of the value whenever it
 * gets a message. Its one argument is the address of a parser's module, '' for `JSON.parse`.
 */

/** Lists are cut into parts of this number of items, because the receiver does nothing else while it reads a part. */
const itemsOfPart = 1_000

async function* partsOfInput(): AsyncGenerator<FromJsonProcess> {
  const [, , module = ''] = process.argv
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  chunks.length = 0
  const parser = module === '' ? undefined : ((await import(module)) as Pick<JsonParser, 'parseJson'>)
  const value: unknown = parser ? parser.parseJson(bytes) : JSON.parse(bytes.toString())
  const isList = typeof value !== 'object' || value === null || Array.isArray(value)
  const fields = isList ? [['', value] as [string, unknown]] : Object.entries(value)
  for (const [name, field] of fields) if (Array.isArray(field)) yield* partsOfList(name, field)
  yield { type: 'values', fields: fields.filter(([, field]) => !Array.isArray(field) || field.length === 0) }
  yield { type: 'end', isList }
}

function* partsOfList(name: string, list: unknown[]): Generator<FromJsonProcess> {
  for (let at = 0; at < list.length; at += itemsOfPart)
    yield { type: 'items', name, items: list.slice(at, at + itemsOfPart) }
}

const parts = partsOfInput()
const send = (part: FromJsonProcess) => process.send?.(part)
process.on('disconnect', () => process.exit(0))
process.on('message', () => {
  parts.next().then(
    ({ value }) => void (value && send(value)),
    (error: unknown) => send({ type: 'failed', reason: String(error) }),
  )
})
