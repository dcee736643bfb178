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
