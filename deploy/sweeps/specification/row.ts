/**
 * Expected response. `page`: the fields of a paged list, whose elements have `fields`. `list`: elements with `fields`. `one`:
 * an object with `fields`. `file`: a download of this name. `refused`: the documented reason why the product, as decided,
 * or here can't do it.
 */
type Shape =
  | { type: 'done' | 'text' | 'started' | 'id' }
  | { type: 'page' | 'list' | 'one'; fields: string[] }
  | { type: 'file'; name: string; text?: string }
  | { type: 'refused'; status: number; message: string }

/** `has` is a part of the response, or of one of its elements. `keeps` are names of values, with their paths in the response. */
export type Expected = { shape: Shape; has?: unknown; keeps?: Record<string, string> }

/**
 * A call of the specification, with the values that its text gives. In texts, `{name}` is a value that setup or an earlier
 * row kept. `entityFrom` is the call whose response, or the element of that ID in it, is the body, changed by `body`.
 */
export type Row = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  body?: unknown
  entityFrom?: string
  expected: Expected
}

const done: Expected = { shape: { type: 'done' } }

export const get = (path: string, expected: Expected): Row => ({ method: 'GET', path, expected })
export const post = (path: string, body: unknown, expected: Expected): Row => ({ method: 'POST', path, body, expected })
/** A call that creates something by changing a record as it was read. */
export const postEntity = (path: string, entityFrom: string, body: object, expected: Expected): Row => ({
  method: 'POST',
  path,
  body,
  entityFrom,
  expected,
})
export const put = (path: string, body: unknown, expected: Expected = done): Row => ({
  method: 'PUT',
  path,
  body,
  expected,
})
/** A call that sends a whole record back as it was read, changed. */
export const putEntity = (path: string, entityFrom: string, body: object, expected: Expected = done): Row => ({
  method: 'PUT',
  path,
  body,
  entityFrom,
  expected,
})
export const remove = (path: string, expected: Expected = done): Row => ({ method: 'DELETE', path, expected })

const words = (text: string): string[] => text.split(' ').filter((word) => word !== '')
/** Fields are separated by spaces. A list that may be empty has none. */
const withFields =
  (type: 'page' | 'list' | 'one') =>
  (fields: string, has?: unknown, keeps: Record<string, string> = {}): Expected => ({
    shape: { type, fields: words(fields) },
    keeps,
    ...(has !== undefined && { has }),
  })
export const page = withFields('page')
export const list = withFields('list')
export const one = withFields('one')

/** A response with the ID of a new record, kept by that name. */
export const id = (name: string): Expected => ({ shape: { type: 'id' }, keeps: { [name]: 'id' } })
/** A response with the number of the job that was started, kept by that name. */
export const started = (name: string): Expected => ({ shape: { type: 'started' }, keeps: { [name]: 'jobId' } })
export const text: Expected = { shape: { type: 'text' } }
/** A download whose name ends like that, and whose text has this part. */
export const file = (name: string, text?: string): Expected => ({
  shape: { type: 'file', name, ...(text !== undefined && { text }) },
})
/** A refusal whose message has this part. */
export const refused = (status: number, message: string): Expected => ({ shape: { type: 'refused', status, message } })
