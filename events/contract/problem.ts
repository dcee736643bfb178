import { z } from 'zod'

/** Body of every failed call. `subErrors` name the fields of a form; `code` is for programs, `message` for users. */
export const ProblemAnswer = z.object({
  message: z.string(),
  title: z.string().optional(),
  code: z.string().optional(),
  debugMessage: z.string().optional(),
  subErrors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
})
export type ProblemAnswer = z.infer<typeof ProblemAnswer>
export type SubError = { field: string; message: string }

/** Maximum number of sub-errors of a call, and characters of the name of a field. */
export const maxSubErrors = 100
const maxField = 16_384

/** Name of a field from its path. */
export const fieldOf = (path: readonly PropertyKey[]): string =>
  path
    .map((key) => String(key).slice(0, maxField))
    .join('.')
    .slice(0, maxField)
