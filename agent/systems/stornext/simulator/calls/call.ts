import { Refused } from '#agent/simulator/answers.ts'
import type { SimulatedRequest } from '#agent/simulator/simulate.ts'
import { Failed } from '../statuses.ts'
import type { Readings } from '../unconfirmed.ts'

export type Format = 'text' | 'json' | 'xml'

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
  if (method !== 'GET' && method !== 'POST') throw new Refused({ status: 405, body: 'Method Not Allowed' })
  const isForm = /^application\/x-www-form-urlencoded(;|$)/.test(headers['content-type'] ?? '')
  if (method === 'POST' && body !== '' && !isForm) throw new Refused({ status: 415, body: 'Unsupported Media Type' })
  const all = [...query, ...(method === 'POST' ? new URLSearchParams(body) : [])]
  const values = (parameter: string) => all.filter(([name]) => name === parameter).map(([, value]) => value)
  const isTooLong = query.toString().length + path.length > readings.maxUrlBytes
  if (isTooLong || values('file').length > readings.maxFiles) throw new Refused({ status: 414, body: 'URI Too Long' })
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
  format: ['text', 'json', 'xml'],
  mode: ['sync', 'async'],
  jobtype: ['fast', 'slow'],
  recursive: ['true', 'false'],
  checksum: ['true', 'false'],
  verbose: ['true', 'false'],
  action: ['listall'],
}

const isValid = (name: string, value: string): boolean =>
  value !== '' && (allowedValues[name] === undefined || allowedValues[name].includes(value))

/** Format of the response: text, unless a valid one is requested. */
export function formatOf(call: Call): Format {
  const format = call.value('format')
  return format === 'json' || format === 'xml' ? format : 'text'
}

/** Value of a required parameter. */
export function required(call: Call, parameter: string): string {
  const value = call.value(parameter)
  if (value === undefined) throw new Failed('bad parameter', parameter)
  return value
}
