import { nameOf, type Schema } from './openApi.ts'

export const escape = (value: string): string => value.replace(/[&<>"']/g, (letter) => `&#${letter.codePointAt(0)};`)

/** A text with its `code` marked. */
export const proseHtml = (text: string): string => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>')

const code = (value: string) => `<code>${escape(value)}</code>`

/** Type of a value in words, with links to the schemas. */
export function typeHtml(schema: Schema): string {
  const { $ref, type, items, anyOf, oneOf, allOf, enum: values, const: fixed, format } = schema
  if ($ref) return `<a href="#${nameOf($ref)}">${nameOf($ref)}</a>`
  if (fixed !== undefined) return code(JSON.stringify(fixed))
  if (values) return values.map((value) => code(JSON.stringify(value))).join(', ')
  const parts = anyOf ?? oneOf
  if (parts) return [...new Set(parts.map(typeHtml))].join(' or ')
  if (allOf) return allOf.map(typeHtml).join(' and ')
  if (type === 'array') return `list of ${typeHtml(items ?? {})}`
  if (type === 'object' && typeof schema.additionalProperties === 'object')
    return `object of ${typeHtml(schema.additionalProperties)}`
  return escape(format === 'date' || format === 'date-time' ? format : [type ?? 'any value'].flat().join(' or '))
}

type Field = { name: string; schema: Schema; isRequired: boolean }

const maxDepth = 3

/** Fields of an object, including those of objects in it, whose names are joined by dots. */
function fieldsOf({ properties = {}, required = [], allOf = [] }: Schema, depth = 1): Field[] {
  const own = Object.entries(properties).flatMap(([name, schema]) => [
    { name, schema, isRequired: required.includes(name) },
    ...innerFields(schema, depth).map((field) => ({ ...field, name: `${name}${nameOfInner(schema, field)}` })),
  ])
  return [...own, ...allOf.flatMap((part) => fieldsOf(part, depth))]
}

const nameOfInner = ({ type }: Schema, { name }: Field) => (type === 'array' ? `[].${name}` : `.${name}`)

function innerFields(schema: Schema, depth: number): Field[] {
  const inner = schema.type === 'array' ? schema.items : schema
  return inner?.properties && depth < maxDepth ? fieldsOf(inner, depth + 1) : []
}

/** Table of the fields of a schema, or its type if it has none. */
export function schemaHtml(schema: Schema, isInput: boolean): string {
  const fields = fieldsOf(schema.type === 'array' ? (schema.items ?? {}) : schema)
  if (fields.length === 0) return `<p>${typeHtml(schema)}</p>`
  const rows = fields.map(
    ({ name, schema, isRequired }) =>
      `<tr><td>${code(name)}${isInput && isRequired ? ' required' : ''}</td><td>${typeHtml(schema)}</td><td>${proseHtml(
        schema.description ?? '',
      )}</td></tr>`,
  )
  const list = schema.type === 'array' ? '<p>A list of:</p>' : ''
  return `${list}${tableHtml(['Field', 'Type', 'Meaning'], rows)}`
}

export const tableHtml = (columns: string[], rows: string[]): string =>
  `<table><thead><tr>${columns.map((column) => `<th scope="col">${column}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`
