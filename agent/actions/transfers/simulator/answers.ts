import type { Answer } from '#agent/actions/simulator/faults.ts'

export const answered = (body: object, status = 200): Answer => ({ status, body })

/** Errors in the form of JSON:API. */
export const errorAnswer = (status: number, title: string, detail?: string): Answer => ({
  status,
  body: { errors: [{ status: String(status), title, ...(detail === undefined ? {} : { detail }) }] },
})

/** Ends a call with an error. */
export class Refused extends Error {
  readonly answer: Answer

  constructor(status: number, title: string, detail?: string) {
    super(title)
    this.answer = errorAnswer(status, title, detail)
  }
}

export const notFound = (kind: string, id: string): Refused => new Refused(404, 'Not Found', `${kind} ${id}`)
