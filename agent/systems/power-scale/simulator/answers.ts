import { type Answer, Refused } from '#agent/simulator/answers.ts'

/** Error codes of OneFS, with their HTTP statuses. */
const statuses = {
  AEC_TRANSIENT: 200,
  AEC_BAD_REQUEST: 400,
  AEC_FORBIDDEN: 403,
  AEC_INVALID_LICENSE: 403,
  AEC_NOT_FOUND: 404,
  AEC_METHOD_NOT_ALLOWED: 405,
  AEC_CONFLICT: 409,
  AEC_EXCEPTION: 500,
} as const
type ErrorCode = keyof typeof statuses

/** Body of an answer with an error. */
export const errorBody = (code: ErrorCode, message: string, field?: string) => ({
  errors: [{ code, ...(field === undefined ? {} : { field }), message }],
})

export const refused = (code: ErrorCode, message: string, field?: string): Refused =>
  new Refused({ status: statuses[code], body: errorBody(code, message, field) })

/** JSON with one character for each byte: names may be any bytes. */
export const jsonOfBytes = (text: string): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(text, 'latin1'),
})

const page = (status: number, title: string): Answer => ({
  status,
  headers: { 'content-type': 'text/html; charset=iso-8859-1' },
  body: `<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>${status} ${title}</title>\n</head><body>\n<h1>${title}</h1>\n</body></html>\n`,
})

export const unauthorized = (as: 'json' | 'html', message = 'Authorization required'): Refused =>
  new Refused(as === 'json' ? { status: 401, body: { errors: [{ message }] } } : page(401, 'Unauthorized'))

export const serviceUnavailable = page(503, 'Service Unavailable')
export const unknownAddress = page(404, 'Not Found')
