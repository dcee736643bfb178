import type { z } from 'zod'

/**
 * Validates a value from outside this process, and stops at its first fault: in a list of a million wrong items, others cost nothing.
 * A list that is longer than its schema allows is refused before its items are read. With `all`, the error has all faults.
 */
export function readOutside<S extends z.ZodType>(
  schema: S,
  value: unknown,
  { error, all = false }: { error?: z.core.$ZodErrorMap; all?: boolean } = {},
): z.ZodSafeParseResult<z.output<S>> {
  // Zod stops early in its own `validate`, and has the option in no type.
  return schema.safeParse(value, { error, abortEarly: !all } as z.core.ParseContext<z.core.$ZodIssue>)
}

/** The same for a value that has to be valid. Throws the error of Zod, which has one issue. */
export function requireOutside<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = readOutside(schema, value)
  if (result.success) return result.data
  throw result.error
}
