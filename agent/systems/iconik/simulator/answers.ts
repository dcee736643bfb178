import { type Answer, answered, Refused } from '#agent/simulator/answers.ts'
import type { Behavior } from './behavior.ts'

/** An error of the API: a text, or texts by field. */
export class ApiError extends Error {
  readonly status: number
  readonly errors: string | Record<string, string>

  constructor(status: number, errors: string | Record<string, string>) {
    super(typeof errors === 'string' ? errors : JSON.stringify(errors))
    this.status = status
    this.errors = errors
  }

  answer({ errorShape }: Behavior): Answer {
    const { status, errors } = this
    const texts =
      typeof errors === 'string' ? [errors] : Object.entries(errors).map(([name, text]) => `${name}: ${text}`)
    if (errorShape === 'text') return { status, body: texts.join('\n') }
    const isByField = errorShape === 'fields' || (errorShape === 'mixed' && typeof errors !== 'string')
    if (!isByField) return { status, body: { errors: texts } }
    return { status, body: { errors: typeof errors === 'string' ? { message: errors } : errors } }
  }
}

export const created = (body: object): Answer => answered(body, 201)

export const emptyAnswer = (status: number, headers: Record<string, string> = {}): Answer => ({ status, headers })

/** A text as JSON, in quotes. */
export const jsonText = (text: string): Answer => ({
  status: 200,
  body: JSON.stringify(text),
  headers: { 'content-type': 'application/json' },
})

export const xml = (status: number, text: string, headers: Record<string, string> = {}): Answer => ({
  status,
  body: `<?xml version="1.0" encoding="UTF-8"?>\n${text}`,
  headers: { 'content-type': 'application/xml', ...headers },
})

/** Error of S3, GCS and Azure. */
export const xmlRefused = (status: number, code: string, message: string) =>
  new Refused(xml(status, `<Error><Code>${code}</Code><Message>${message}</Message></Error>`))

/** Error of B2. */
export const b2Refused = (status: number, code: string, message: string) =>
  new Refused({ status, body: { status, code, message } })
