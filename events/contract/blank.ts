import { z } from 'zod'

/** Reads null as empty text: callers send it for a field that a kind does not have. */
export const blankForNull = <T extends z.ZodType<string, string | undefined>>(schema: T) =>
  z.preprocess((text: string | null | undefined) => text ?? '', schema)

/** A required path, kept as typed: names of files may begin and end with spaces. */
export const filledPath = (message: string) => z.string().regex(/\S/, message).max(4_096)
