import { refused } from '../errors.ts'
import { objectOf, parsed } from '../fields.ts'
import type { Attribute, Row, Value } from './attributes.ts'

/** Bytes of the body of a query. */
export const maxQueryBytes = 8_192

type Filter = (row: Row) => boolean

/** Reads the body of a query, such as `{"scope":{"logic":"and","conditions":[{"operator":"=","attr":"name","value":"x"}]}}`. */
export function readQuery(body: Buffer, attributes: Record<string, Attribute>): Filter {
  // One character for each byte, as in names.
  const { scope, ...others } = objectOf(parsed(body.toString('latin1')))
  const [other] = Object.keys(others)
  if (other !== undefined) throw refused('AEC_BAD_REQUEST', `Unknown key '${other}' in the query.`, other)
  return filterOf(scope, attributes)
}

function filterOf(value: unknown, attributes: Record<string, Attribute>): Filter {
  const condition = objectOf(value)
  if (!('logic' in condition)) return comparisonOf(condition, attributes)
  const { logic, conditions } = condition
  if (logic !== 'and' && logic !== 'or') throw refused('AEC_BAD_REQUEST', `Unknown logic '${String(logic)}'.`, 'logic')
  if (!Array.isArray(conditions) || conditions.length === 0)
    throw refused('AEC_BAD_REQUEST', 'A query needs conditions.', 'conditions')
  const filters = conditions.map((condition) => filterOf(condition, attributes))
  return logic === 'and'
    ? (row) => filters.every((accepts) => accepts(row))
    : (row) => filters.some((accepts) => accepts(row))
}

const operators: Record<string, (actual: Value, value: unknown) => boolean> = {
  '=': (actual, value) => compare(actual, value) === 0,
  '!=': (actual, value) => compare(actual, value) !== 0,
  '<': (actual, value) => compare(actual, value) < 0,
  '<=': (actual, value) => compare(actual, value) <= 0,
  '>': (actual, value) => compare(actual, value) > 0,
  '>=': (actual, value) => compare(actual, value) >= 0,
  like: (actual, value) => patternOf(String(value)).test(String(actual)),
  in: (actual, values) => Array.isArray(values) && values.some((value) => compare(actual, value) === 0),
}

function comparisonOf(condition: Record<string, unknown>, attributes: Record<string, Attribute>): Filter {
  const { operator, attr, value } = condition
  const isKnown = Object.hasOwn(attributes, String(attr)) && Object.hasOwn(operators, String(operator))
  const [read, holds] = [attributes[String(attr)], operators[String(operator)]]
  if (!isKnown || read === undefined || holds === undefined)
    throw refused('AEC_BAD_REQUEST', `Invalid condition ${String(operator)} of '${String(attr)}'.`)
  return (row) => holds(read(row), value)
}

/** Compares values of the same type; values of different types are not equal, and the actual one is larger. */
function compare(actual: Value, value: unknown): number {
  if (typeof actual !== typeof value && !(typeof actual === 'bigint' && typeof value === 'number')) return Number.NaN
  const other = value as Value
  return actual === other ? 0 : actual < other ? -1 : actual > other ? 1 : 0
}

/** A star in a pattern stands for any characters. */
const patternOf = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replaceAll(/[^\w*]/g, String.raw`\$&`).replaceAll('*', '.*')}$`, 's')
