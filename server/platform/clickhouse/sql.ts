/** A piece of ClickHouse SQL. Values are never part of the text: they become numbered, typed parameters. */
export type Sql = { parts: readonly string[]; values: readonly unknown[] }

export const sql = (parts: TemplateStringsArray, ...values: unknown[]): Sql => ({ parts, values })

/** A quoted column, table or settings name; only from a fixed list or our own numbers, never from a request. */
export const name = (word: string): Sql => {
  if (!/^\w+$/.test(word)) throw new TypeError(`Not a name: ${word}`)
  return { parts: [`\`${word}\``], values: [] }
}

/** The same as text. */
export const quoted = (word: string): string => render(name(word)).query

/** Text of our own that already is SQL, such as a list of columns built from a declaration. */
export const text = (value: string): Sql => ({ parts: [value], values: [] })

/** Text as a literal, for statements that take no parameters. */
export const literal = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** All of the conditions; true for an empty list. */
export const all = (conditions: readonly Sql[]): Sql => join(conditions, ' AND ', '1')

export const join = (pieces: readonly Sql[], separator: string, none = ''): Sql =>
  pieces.length === 0 ? text(none) : { parts: ['', ...pieces.slice(1).map(() => separator), ''], values: pieces }

/** A value with an explicit ClickHouse type, if its JavaScript type suggests another. */
export const typed = (value: unknown, type: string): Sql => ({ parts: ['', ''], values: [new TypedValue(value, type)] })

class TypedValue {
  readonly value: unknown
  readonly type: string
  constructor(value: unknown, type: string) {
    this.value = value
    this.type = type
  }
}

/** Returns the statement and its parameters in the form of `@clickhouse/client`. */
export function render(statement: Sql): { query: string; query_params: Record<string, unknown> } {
  const query_params: Record<string, unknown> = {}
  const write = ({ parts, values }: Sql): string =>
    parts.map((part, i) => (i < values.length ? part + hole(values[i]) : part)).join('')
  const hole = (value: unknown): string => {
    if (isSql(value)) return write(value)
    // It has no type of its own, and nothing is in it.
    if (Array.isArray(value) && value.length === 0) return '[]'
    const key = `p${Object.keys(query_params).length}`
    query_params[key] = value instanceof TypedValue ? value.value : value
    return `{${key}:${value instanceof TypedValue ? value.type : typeOf(value)}}`
  }
  return { query: write(statement), query_params }
}

/** Returns equal text for pieces with equal SQL and values. */
export function keyOf(piece: Sql): string {
  const { query, query_params } = render(piece)
  const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  return query + JSON.stringify(query_params, plain)
}

const isSql = (value: unknown): value is Sql => typeof value === 'object' && value !== null && 'parts' in value

function typeOf(value: unknown): string {
  if (typeof value === 'string') return 'String'
  if (typeof value === 'boolean') return 'Bool'
  if (typeof value === 'bigint' || Number.isInteger(value)) return 'Int64'
  if (typeof value === 'number') return 'Float64'
  if (Array.isArray(value)) return `Array(${typeOf(value[0])})`
  throw new TypeError(`No ClickHouse type for ${String(value)}; use typed()`)
}
