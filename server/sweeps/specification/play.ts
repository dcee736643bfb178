import type { Response } from 'supertest'
import type { asUser } from '#server/testing.ts'
import type { Expected, Row } from './row.ts'

/** Values by name. */
export type Known = Record<string, unknown>
type Ask = ReturnType<typeof asUser>

/** Makes the call of a row and keeps its values. Returns the differences to the expected response. */
export async function play(ask: Ask, known: Known, { method, path, ...row }: Row): Promise<string[]> {
  const unknown = [...JSON.stringify([path, row]).matchAll(/\{(\w+)\}/g)].filter(([, name = '']) => !(name in known))
  if (unknown.length > 0) return unknown.map(([name]) => `an earlier row did not keep ${name}`)
  const [address, expected] = [fill(known, path), fill(known, row.expected)]
  const entity = row.entityFrom === undefined ? {} : await entityOf(ask, fill(known, row.entityFrom), address)
  if (!entity) return [`${row.entityFrom} does not return the record`]
  const change = fill(known, row.body)
  const body = row.entityFrom === undefined ? change : { ...entity, ...(change as object) }
  const sent = body === undefined ? undefined : JSON.stringify(body)
  const response = await ask(method, urlOf(address), sent)
  const faults = faultsOf(response, expected)
  if (faults.length === 0)
    for (const [name, at] of Object.entries(expected.keeps ?? {})) known[name] = valueAt(response.body, at)
  return faults.concat(
    Object.keys(faults.length === 0 ? (expected.keeps ?? {}) : {}).flatMap((name) =>
      known[name] === undefined ? [`has no ${expected.keeps?.[name]}`] : [],
    ),
  )
}

/** All calls are below `/api`, except for the sign-out. */
const urlOf = (path: string): string => encodeURI(path.startsWith('/api/') || path === '/logout' ? path : `/api${path}`)

/** Replaces `{name}` in texts, and a text that is only `{name}` by the value itself. */
function fill<T>(known: Known, value: T): T {
  if (value === undefined) return value
  const json = JSON.stringify(value).replaceAll(
    /"\{(\w+)\}"(?!:)|\{(\w+)\}/g,
    (_, alone: string | undefined, part: string | undefined) =>
      alone === undefined ? JSON.stringify(String(known[part ?? ''])).slice(1, -1) : JSON.stringify(known[alone]),
  )
  return JSON.parse(json) as T
}

/** The record that a call returns, or the element of its list whose ID is the last part of the address. */
async function entityOf(ask: Ask, from: string, address: string): Promise<object | undefined> {
  const { body } = await ask('GET', urlOf(from))
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
  path.split('.').reduce<unknown>((value, name) => (value as Known | null | undefined)?.[name], body)

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
  if (shape.type === 'text') return typeof body === 'string' ? [] : ['is no text']
  if (shape.type === 'one') return lacking(body, shape.fields)
  if (shape.type === 'page' || shape.type === 'list') {
    const elements = elementsOf(body)
    if (!elements) return [`is no list: ${JSON.stringify(body)?.slice(0, 500)}`]
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
  fields.filter((field) => (value as Known | null)?.[field] === undefined).map((field) => `lacks ${field}`)

/** True if all fields of a part are in the value, and all its elements in the value's elements. */
function contains(value: unknown, part: unknown): boolean {
  if (Array.isArray(part))
    return Array.isArray(value) && part.every((each) => value.some((element) => contains(element, each)))
  if (typeof part !== 'object' || part === null) return value === part
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(part).every(([name, each]) => contains((value as Known)[name], each))
}
