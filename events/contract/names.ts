import { z } from 'zod'

// Patterns are built when they are needed: the browsers of wall displays, which need none, can't read them.

/** Spaces of other widths, which look like a space. */
const otherSpaces = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g

/** The one form of a name: composed characters (NFC), plain spaces, none at the ends. */
export const normalName = (text: string): string => text.normalize('NFC').replace(otherSpaces, ' ').trim()

/**
 * Invisible characters that a reader sees by their effect: joiners within emoji and between letters of scripts without
 * case, such as Arabic and Hindi, and the selector of the colored form of an emoji.
 */
const effective = [
  [String.raw`([\p{Extended_Pictographic}\d#*])[\ufe0e\ufe0f]`, '$1'],
  [String.raw`([\p{Extended_Pictographic}\p{Emoji_Modifier}])\u200d(?=\p{Extended_Pictographic})`, '$1'],
  [String.raw`([\p{Lo}\p{M}])[\u200c\u200d](?=[\p{Lo}\p{M}])`, '$1'],
] as const

/** Orders names as people do: `film 2` before `film 10`, letters with accents next to those without, upper and lower case together. */
export const compareNames: (a: string, b: string) => number = new Intl.Collator(undefined, { numeric: true }).compare

/** Fault of a name, if any: invisible characters let two names look the same. */
export function nameFault(name: string): string | undefined {
  if (new RegExp(String.raw`[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]`, 'u').test(name)) return 'must not contain control characters'
  const visible = effective.reduce((text, [pattern, kept]) => text.replace(new RegExp(pattern, 'gu'), kept), name)
  const invisible = new RegExp(String.raw`[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]`, 'u')
  return invisible.test(visible) ? 'must not contain invisible characters' : undefined
}

type NameWords = { max?: number; blank?: string; long?: string }

/** A name that people give to a person or an object, in its one form. */
export const nameText = ({ max = 255, blank = 'must not be blank', long }: NameWords = {}) =>
  z
    .string()
    .overwrite(normalName)
    .min(1, blank)
    .max(max, long)
    .superRefine((name, { addIssue }) => {
      const message = nameFault(name)
      if (message) addIssue({ code: 'custom', message })
    })

export const EmailAddress = z.email('must be a well-formed email address').max(255)

/** Up to 20 email addresses, each once. */
export const EmailAddresses = z
  .array(EmailAddress)
  .max(20, 'must be at most 20 addresses')
  .transform((addresses) => [...new Set(addresses)])
