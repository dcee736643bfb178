import { TooLong } from './jsonMeter.ts'
import type { FromJsonProcess } from './readJson.ts'

/*
 * The process in which large JSON is parsed: see `readJson.ts`. It reads its standard input, and sends the next part of the value whenever it
 * gets a message. Its one argument is the address of a parser's module, '' for `JSON.parse`.
 */

/** Values of a part of a list, because the receiver does nothing else while it reads a part, and of one item or field. */
const valuesOfPart = 20_000
const maxValuesOfItem = 100_000

async function* partsOfInput(): AsyncGenerator<FromJsonProcess> {
  const [, , module = ''] = process.argv
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const value = module === '' ? (JSON.parse(bytes.toString()) as unknown) : (await import(module)).parseJson(bytes)
  const isList = typeof value !== 'object' || value === null || Array.isArray(value)
  const fields: [string, unknown][] = isList ? [['', value]] : Object.entries(value)
  for (const [name, field] of fields) if (Array.isArray(field)) yield* partsOfList(name, field)
  const others = fields.filter(([, field]) => !Array.isArray(field) || field.length === 0)
  checkCount(others)
  yield { type: 'values', fields: others }
  yield { type: 'end', isList }
}

function* partsOfList(name: string, list: unknown[]): Generator<FromJsonProcess> {
  let items: unknown[] = []
  let values = 0
  for (const item of list) {
    values += checkCount(item)
    items.push(item)
    if (values < valuesOfPart) continue
    yield { type: 'items', name, items }
    items = []
    values = 0
  }
  if (items.length > 0) yield { type: 'items', name, items }
}

/** Number of values in a value. Throws `TooLong`. */
function checkCount(value: unknown): number {
  const open = [value]
  let count = 1
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const values: unknown[] = Object.values(next)
    count += values.length
    if (count > maxValuesOfItem)
      throw new TooLong(`An item or field with more than ${maxValuesOfItem.toLocaleString('en')} values`)
    for (const each of values) if (typeof each === 'object') open.push(each)
  }
  return count
}

const parts = partsOfInput()
const send = (part: FromJsonProcess) => process.send?.(part)
process.on('disconnect', () => process.exit(0))
process.on('message', () => {
  parts.next().then(
    ({ value }) => void (value && send(value)),
    (error: unknown) =>
      send({
        type: 'failed',
        reason: error instanceof Error ? error.message : String(error),
        isTooLong: error instanceof TooLong,
      }),
  )
})
