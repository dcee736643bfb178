import { type Answer, isHtml, retryAfterMs, textOf } from './answer.ts'

/** Bytes of an answer that are searched for its reason. */
const maxBytes = 256 * 1024

/** An answer that is not a success. Systems add the code that their own answers contain. */
export class Refusal extends Error {
  statusCode: number
  /** Code of the vendor, such as NoSuchBucket; '' if the answer has none. */
  code = ''
  /** The beginning of the answer. */
  text: string
  /** True if the answer is a page for people. */
  isHtml: boolean
  retryAfterMs: number | undefined
  /** Time of the answer by the clock of the system, in milliseconds; NaN if missing. */
  date: number

  constructor(answer: Answer) {
    super()
    this.statusCode = answer.statusCode
    this.text = textOf({ ...answer, body: answer.body.subarray(0, maxBytes) })
    this.isHtml = isHtml(this.text.slice(0, 1_000), answer.headers)
    this.retryAfterMs = retryAfterMs(answer.headers['retry-after'])
    this.date = Date.parse(answer.headers['date'] ?? '')
  }
}

/** A success that the expected system would not send. */
export class ForeignAnswer extends Error {
  isHtml: boolean
  constructor(answer: Answer) {
    super()
    this.isHtml = isHtml(textOf({ ...answer, body: answer.body.subarray(0, 1_000) }), answer.headers)
  }
}
