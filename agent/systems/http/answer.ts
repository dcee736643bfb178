import type { z } from 'zod'
import { readOutside } from '#events/contract/readOutside.ts'
import { TooLong } from '#events/node/jsonMeter.ts'

/** An answer with its whole body. Names of headers are in lower case. */
export type Answer = { statusCode: number; headers: Record<string, string>; body: Uint8Array }

export const textOf = ({ body }: Answer): string =>
  Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()

/** The content of an answer by its schema. Throws `TooLong` for a list with more items than its schema allows, else the error of Zod. */
export function contentOf<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const { data, error } = readOutside(schema, value)
  if (!error) return data as z.output<S>
  const [issue] = error.issues
  if (issue?.code !== 'too_big' || issue.origin !== 'array') throw error
  throw new TooLong(`More than ${issue.maximum.toLocaleString('en')} items in ${issue.path.join('.') || 'the list'}`)
}

/** True if an answer is a page for people. */
export const isHtml = (text: string, headers: Record<string, string>): boolean =>
  /^\s*<(!doctype html|html)/i.test(text) || (headers['content-type'] ?? '').startsWith('text/html')

/** Longest wait that is respected. Dropbox names five minutes. */
const maxRetryMs = 15 * 60_000

/** Milliseconds to wait from the header `retry-after`, which has seconds or a date; undefined if it is missing. */
export function retryAfterMs(text: string | undefined): number | undefined {
  const ms = /^\d+$/.test(text ?? '') ? Number(text) * 1_000 : Date.parse(text ?? '') - Date.now()
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), maxRetryMs)
}
