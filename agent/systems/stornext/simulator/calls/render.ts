import type { Answer } from '#agent/simulator/answers.ts'
import type { Readings } from '../unconfirmed.ts'
import type { Format } from './call.ts'

/** A response in its format, with status 200 also for failures. */
export function rendered(response: object, format: Format, { numbers }: Readings): Answer {
  if (format === 'text') return { status: 200, body: linesOf(response).join('\n') }
  if (format === 'json') return { status: 200, body: numbers === 'text' ? withTextNumbers(response) : response }
  const body = `<?xml version="1.0" encoding="UTF-8"?><response>${xmlOf(response)}</response>`
  return { status: 200, body, headers: { 'content-type': 'application/xml; charset=utf-8' } }
}

const withTextNumbers = (value: object): object =>
  JSON.parse(JSON.stringify(value, (_, each: unknown) => (typeof each === 'number' ? String(each) : each))) as object

/** The form of XML and text is our own: no public source shows it. */
function xmlOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return escaped(String(value))
  return Object.entries(value)
    .flatMap(([name, child]: [string, unknown]) =>
      (Array.isArray(child) ? child : [child]).map((each) => `<${name}>${xmlOf(each)}</${name}>`),
    )
    .join('')
}

const escaped = (text: string): string => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)

function linesOf(value: unknown, name = ''): string[] {
  if (typeof value !== 'object' || value === null) return [`${name}: ${String(value)}`]
  return Object.entries(value).flatMap(([key, child]) => linesOf(child, Array.isArray(value) ? name : key))
}
