import type { Response } from 'supertest'
import type { asUser } from '#server/testing.ts'
import type { Expected, Row } from './row.ts'

/** Values by name. */
export type Values = Record<string, unknown>
type Ask = ReturnType<typeof asUser>

/**
 * Makes the call of a row and keeps its values. Returns the differences to the expected response. A deletion that worked
 * has to find nothing the second time.
 */
export async function play(ask: Ask, known: Values, row: Row): Promise<string[]> {
  const names = [...JSON.stringify(row).matchAll(placeholder)].map(([, alone, part]) => alone ?? part ?? '')
  const missing = names.filter((name) => !(name in known))
  if (missing.length > 0) return [...new Set(missing)].map((name) => `no earlier row kept ${name}`)
  const { method, path, body, entityFrom, expected } = fill(known, row)
  const entity = entityFrom === undefined ? undefined : await entityOf(ask, entityFrom, path)
  if (entityFrom !== undefined && !entity) return [`${entityFrom} does not return the record`]
  const sent = entity ? { ...entity, ...(body as object) } : body
  const request = () => ask(method, urlOf(path), sent === undefined ? undefined : JSON.stringify(sent))
  const response = await request()
  const faults = faultsOf(response, expected)
  if (faults.length > 0) return faults
  if (method === 'DELETE' && expected.shape.type === 'done') faults.push(...faultsOf(await request(), unknownRecord))
  return faults.concat(keep(known, response.body, expected.keeps))
}

const unknownRecord: Expected = { shape: { type: 'refused', status: 404, message: '' } }

function keep(known: Values, body: unknown, keeps: Record<string, string> = {}): string[] {
  const values = Object.entries(keeps).map(([name, at]) => [name, valueAt(body, at), at] as const)
  for (const [name, value] of values) if (value !== undefined) known[name] = value
  return values.flatMap(([, value, at]) => (value === undefined ? [`lacks ${at}`] : []))
}

/** All calls are below `/api`, except for the sign-out. */
const urlOf = (path: string): string => encodeURI(path.startsWith('/api/') || path === '/logout' ? path : `/api${path}`)

/** A text that is only `{name}`, except for the name of a field, or `{name}` in a text. */
const placeholder = /"\{(\w+)\}"(?!:)|\{(\w+)\}/g

/** Replaces `{name}` in texts, and a text that is only `{name}` by the value itself. */
function fill<T>(known: Values, value: T): T {
  const filled = JSON.stringify(value).replaceAll(placeholder, (_, alone?: string, part = '') =>
    alone === undefined ? JSON.stringify(String(known[part])).slice(1, -1) : JSON.stringify(known[alone]),
  )
  return JSON.parse(filled) as T
}

/** The record that a call returns, or the element of its list whose ID is the last part of the address. */
async function entityOf(ask: Ask, from: string, address: string): Promise<object | undefined> {
  const { status, body } = await ask('GET', urlOf(from))
  if (status !== 200) return undefined
  const elements = elementsOf(body)
  if (!elements) return body as object
  const [wanted] = address.split('?')[0]?.split('/').slice(-1) ?? []
  return (elements as { id?: unknown; fileId?: unknown }[]).find(({ id, fileId }) => String(fileId ?? id) === wanted)
}

function elementsOf(body: unknown): unknown[] | undefined {
  if (Array.isArray(body)) return body
  const { elements } = (body ?? {}) as { elements?: unknown }
  return Array.isArray(elements) ? elements : undefined
}

const valueAt = (body: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Values | null | undefined)?.[name], body)

const wrapperFields = ['elements', 'page', 'total', 'size', 'sort', 'direction']

function faultsOf({ status, body, text, headers }: Response, { shape, has }: Expected): string[] {
  const said = `status ${status}: ${JSON.stringify(body)?.slice(0, 500)}`
  if (shape.type === 'refused')
    return status === shape.status && String(body.message).includes(shape.message) ? [] : [said]
  if (status < 200 || status > 299) return [said]
  const faults = faultsOfShape(shape, body, text, String(headers['content-disposition']))
  if (has !== undefined && ![body, ...(elementsOf(body) ?? [])].some((each) => contains(each, has)))
    faults.push(`has no ${JSON.stringify(has)}, but ${JSON.stringify(body)?.slice(0, 1_000)}`)
  return faults
}

function faultsOfShape(shape: Expected['shape'], body: unknown, text: string, disposition: string): string[] {
  if (shape.type === 'text') return typeof body === 'string' ? [] : ['is not text']
  if (shape.type === 'one') return lacking(body, shape.fields)
  if (shape.type === 'page' || shape.type === 'list') {
    const elements = elementsOf(body)
    if (!elements) return [`is not a list: ${JSON.stringify(body)?.slice(0, 500)}`]
    const none = elements.length === 0 && shape.fields.length > 0 ? ['has no elements'] : []
    const inElements = [...new Set(elements.flatMap((each) => lacking(each, shape.fields)))]
    return [...none, ...inElements, ...(shape.type === 'page' ? lacking(body, wrapperFields) : [])]
  }
  if (shape.type !== 'file') return []
  const isNamed = decodeURIComponent(disposition).includes(shape.name)
  const hasText = shape.text === undefined || text.includes(shape.text)
  return [...(isNamed ? [] : [`is named ${disposition}`]), ...(hasText ? [] : [`lacks ${shape.text}: ${text}`])]
}

const lacking = (value: unknown, fields: readonly string[]): string[] =>
  fields.filter((field) => (value as Values | null)?.[field] === undefined).map((field) => `lacks ${field}`)

/** True if all fields of a part are in the value, and all its elements in the value's elements. */
function contains(value: unknown, part: unknown): boolean {
  if (Array.isArray(part))
    return Array.isArray(value) && part.every((each) => value.some((element) => contains(element, each)))
  if (typeof part !== 'object' || part === null) return value === part
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(part).every(([name, each]) => contains((value as Values)[name], each))
}
