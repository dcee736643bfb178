import { refused } from '#agent/simulator/answers.ts'
import type { SimulatedRequest } from '#agent/simulator/simulate.ts'
import { Failed } from '../statuses.ts'
import type { Readings } from '../unconfirmed.ts'

/** A call with its parameters, from the query and the form. */
export type Call = {
  name: string
  method: string
  values: (parameter: string) => string[]
  value: (parameter: string) => string | undefined
  parameters: string[]
}

/** Parameters that every call accepts. */
const commonParameters = ['format', 'mode', 'jobtype', 'username', 'password']

/** Reads a request. Throws the answer to other methods, types of body, or too many files. */
export function readCall({ method, path, query, headers, body }: SimulatedRequest, readings: Readings): Call {
  if (method !== 'GET' && method !== 'POST') throw refused(405, 'Method Not Allowed')
  const isForm = /^application\/x-www-form-urlencoded(;|$)/.test(headers['content-type'] ?? '')
  if (method === 'POST' && body !== '' && !isForm) throw refused(415, 'Unsupported Media Type')
  const all = [...query, ...(method === 'POST' ? new URLSearchParams(body) : [])]
  const values = (parameter: string) => all.filter(([name]) => name === parameter).map(([, value]) => value)
  const isTooLong = query.toString().length + path.length > readings.maxUrlBytes
  if (isTooLong || values('file').length > readings.maxFiles) throw refused(414, 'URI Too Long')
  return {
    name: path,
    method,
    values,
    value: (parameter) => values(parameter).at(-1),
    parameters: [...new Set(all.map(([name]) => name))],
  }
}

/** Throws the failure for unknown, missing, repeated or invalid parameters. A `*` after a name allows it more than once. */
export function checkParameters(call: Call, known: string[]): void {
  const names = [...commonParameters, ...known.map((name) => name.replace('*', ''))]
  const unknown = call.parameters.find((name) => !names.includes(name))
  const repeated = call.parameters.find((name) => call.values(name).length > 1 && !known.includes(`${name}*`))
  const wrong = unknown ?? repeated ?? call.parameters.find((name) => !isValid(name, call.value(name) ?? ''))
  if (wrong !== undefined) throw new Failed('bad parameter', wrong)
}

const allowedValues: Record<string, string[]> = {
  format: ['json'],
  mode: ['sync', 'async'],
  jobtype: ['fast', 'slow'],
  checksum: ['true', 'false'],
}

const isValid = (name: string, value: string): boolean =>
  value !== '' && (allowedValues[name] === undefined || allowedValues[name].includes(value))

/** Value of a required parameter. */
export function required(call: Call, parameter: string): string {
  const value = call.value(parameter)
  if (value === undefined) throw new Failed('bad parameter', parameter)
  return value
}
