import { z } from 'zod'

/** A whole number as text. */
export const wholeNumber = (min: 0 | 1, max = 999_999_999) =>
  z
    .string()
    .regex(/^\d+$/, 'Value must be a positive number')
    .refine((text) => Number(text) >= min, 'Value must be a positive number')
    .refine((text) => Number(text) <= max, `Value must be at most ${max}`)
/** At most a hundred years: dates further back are not supported. */
export const days = wholeNumber(1, 36_500)
/** A switch as text. */
export const yesOrNo = z.enum(['true', 'false'], 'Value must be true or false')
/** One line of text without control characters. */
export const line = (tooLong: string, maxLength = 255) =>
  z
    .string()
    .trim()
    .max(maxLength, tooLong)
    .regex(/^\P{Cc}*$/u, 'Value must not contain control characters')
/** A sender of emails; empty for the default. */
export const emailOrNone = line('From must be a well-formed email address').refine(
  (text) => text === '' || z.email().safeParse(text).success,
  'From must be a well-formed email address',
)
/** URL of this product. */
export const address = line('URL must have at most 255 characters')
  .refine((text) => !/^(https?:\/*)?$/i.test(text), { error: "URL can't be empty", abort: true })
  .refine((text) => z.url({ protocol: /^https?$/ }).safeParse(text).success, 'URL must begin with http:// or https://')

const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/
/** Over http, secrets are unencrypted, so only this machine may use it. */
export const secureAddressOrNone = line('URL must have at most 255 characters').refine((text) => {
  const { protocol, hostname = '' } = URL.parse(text) ?? {}
  return text === '' || protocol === 'https:' || (protocol === 'http:' && isLoopback.test(hostname))
}, 'URL must begin with https://')

/** IDs of agents, which are stored in order; empty for none. */
export const agentIds = line('Agents must have at most 1000 characters', 1_000)
  .regex(/^([1-9]\d{0,8}(\s*,\s*[1-9]\d{0,8})*)?$/, 'Agents must be IDs, separated by commas')
  .transform((text) =>
    [...new Set(text.split(',').map(Number))]
      .filter((id) => id > 0)
      .sort((a, b) => a - b)
      .join(','),
  )
