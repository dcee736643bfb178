import { type Answer, Refused } from '#agent/simulator/answers.ts'

/** Errors in the form of JSON:API. */
export const errorAnswer = (status: number, title: string, detail?: string): Answer => ({
  status,
  body: { errors: [{ status: String(status), title, ...(detail === undefined ? {} : { detail }) }] },
})

/** Ends a call with an error. */
export const refused = (status: number, title: string, detail?: string): Refused =>
  new Refused(errorAnswer(status, title, detail))

export const notFound = (kind: string, id: string): Refused => refused(404, 'Not Found', `${kind} ${id}`)
