/** A response of the cluster. Text is sent as UTF-8. */
export type Answer = { status: number; headers?: Record<string, string | string[]>; body?: string | Buffer }

/** Error codes of OneFS, with their HTTP statuses. */
const statuses = {
  AEC_TRANSIENT: 200,
  AEC_BAD_REQUEST: 400,
  AEC_ARG_REQUIRED: 400,
  AEC_ARG_SINGLE_ONLY: 400,
  AEC_UNAUTHORIZED: 401,
  AEC_FORBIDDEN: 403,
  AEC_INVALID_LICENSE: 403,
  AEC_LIMIT_EXCEEDED: 403,
  AEC_NAMETOO_LONG: 403,
  AEC_NOT_FOUND: 404,
  AEC_METHOD_NOT_ALLOWED: 405,
  AEC_CONFLICT: 409,
  AEC_PRE_CONDITION_FAILED: 412,
  AEC_INVALID_REQUEST_RANGE: 416,
  AEC_SYSTEM_INTERNAL_ERROR: 500,
  AEC_EXCEPTION: 500,
} as const
export type ErrorCode = keyof typeof statuses

/** Ends a request with this response. */
export class Refused extends Error {
  readonly answer: Answer

  constructor(answer: Answer) {
    super(`Refused with status ${answer.status}: ${String(answer.body)}`)
    this.answer = answer
  }
}

export const json = (status: number, body: object): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

export const noContent: Answer = { status: 204 }

const html = (status: number, title: string, text: string): Answer => ({
  status,
  headers: { 'content-type': 'text/html; charset=iso-8859-1' },
  body: `<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>${status} ${title}</title>\n</head><body>\n<h1>${title}</h1>\n<p>${text}</p>\n</body></html>\n`,
})

export const errorAnswer = (code: ErrorCode, message: string, field?: string): Answer =>
  json(statuses[code], { errors: [{ code, ...(field === undefined ? {} : { field }), message }] })

export const refused = (code: ErrorCode, message: string, field?: string): Refused =>
  new Refused(errorAnswer(code, message, field))

export const unauthorized = (as: 'json' | 'html', message = 'Authorization required'): Refused =>
  new Refused(
    as === 'json'
      ? json(401, { errors: [{ message }] })
      : html(
          401,
          'Unauthorized',
          'This server could not verify that you are authorized to access the document requested.',
        ),
  )

export const serviceUnavailable = html(
  503,
  'Service Unavailable',
  'The server is temporarily unable to service your request due to maintenance downtime or capacity problems. Please try again later.',
)

export const unknownAddress = html(404, 'Not Found', 'The requested URL was not found on this server.')

export const addressTooLong = html(
  414,
  'Request-URI Too Long',
  "The requested URL's length exceeds the capacity limit.",
)
