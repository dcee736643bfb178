/**
 * Replaces characters that can't be seen by symbols, so that two names that differ look different, and a name stays on its
 * line and in its reading order: control characters, undecodable bytes, characters without width, directional marks, unusual
 * spaces, and spaces at the ends of a name.
 */
export function visible(text: string): string {
  if (isPlain(text)) return text
  return text
    .replaceAll(leadingSpaces, (_, start: string, spaces: string) => start + '␣'.repeat(spaces.length))
    .replaceAll(trailingSpaces, (spaces) => '␣'.repeat(spaces.length))
    .replaceAll(candidates, (sign, at: number) => (isUnseen(sign, text, at) ? symbolOf(sign) : sign))
}

/** Nearly all names are plain, and lists render hundreds of them per second. */
const isPlain = (text: string): boolean => /^[!-~]+(?: +[!-.0-~][!-~]*)*$/.test(text) && !text.includes(' /')

/** Spaces before or after a name, also within a path. The replacement of a space has its length. */
const leadingSpaces = /(^|\/)( +)/g
const trailingSpaces = / +(?=\/|$)/g

/**
 * Characters without a shape: those that fonts ignore, control characters, separators, undecodable bytes, and spaces other than
 * those of ASCII and of Chinese and Japanese text.
 */
const candidates =
  /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Zl}\p{Zp}\uef80-\uefff\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\ufff9-\ufffb]/gu

/**
 * Joiners are part of emoji and of words in Arabic and Indic scripts, selectors choose the look of emoji and Han characters,
 * and tags that of flags. Elsewhere they have no effect that anyone could see.
 */
function isUnseen(sign: string, text: string, at: number): boolean {
  const code = sign.codePointAt(0) ?? 0
  const before = Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? ''
  if (code === 0x200c || code === 0x200d)
    return !/[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}]/u.test(
      before,
    )
  if (code >= 0xfe00 && code <= 0xfe0f) return !/[\p{Emoji}\p{Script=Han}]/u.test(before)
  if (code >= 0xe0000) return !/[\p{Extended_Pictographic}\u{e0020}-\u{e007e}]/u.test(before)
  return true
}

/** Unicode has symbols for the first 32 characters, DEL and spaces; other characters become a box. */
function symbolOf(sign: string): string {
  const code = sign.codePointAt(0) ?? 0
  if (code >= 0xef80 && code <= 0xefff) return '\ufffd'
  if (/\p{Zs}/u.test(sign)) return '\u237d'
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '\u2421' : '\u25a1'
}

/** A part of a text, marked if it is a symbol of `visible` or a letter of another alphabet than the rest of its word. */
type TextPart = { text: string; isMarked: boolean }

/** Splits a text that `visible` returned. Letters of Cyrillic, Greek and other alphabets look like Latin ones. */
export function markedParts(text: string): TextPart[] {
  if (isPlain(text)) return [{ text, isMarked: false }]
  const parts = text.split(/([␀-␡␣⍽□\ufffd]+|[\p{L}\p{M}]+)/u)
  return parts.flatMap((part, i) =>
    i % 2 === 0 ? unmarked(part) : /\p{L}/u.test(part) ? ofWord(part) : [{ text: part, isMarked: true }],
  )
}

const unmarked = (text: string): TextPart[] => (text === '' ? [] : [{ text, isMarked: false }])

const foreign =
  /([\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]+)/u

function ofWord(word: string): TextPart[] {
  if (!/\p{Script=Latin}/u.test(word) || !foreign.test(word)) return unmarked(word)
  return word.split(foreign).flatMap((text, i) => (i % 2 === 0 ? unmarked(text) : [{ text, isMarked: true }]))
}

/** Text of a tooltip: the original text, and the codes of its characters that are invisible or look like others. */
export function textHint(text: string): string {
  if (isPlain(text)) return text
  const unusual = [
    ...[...text.matchAll(candidates)].flatMap(({ 0: sign, index }) =>
      isUnseen(sign, text, index) && symbolOf(sign) !== '\ufffd' ? [sign] : [],
    ),
    ...markedParts(text).flatMap((part) => (part.isMarked && /\p{L}/u.test(part.text) ? [...part.text] : [])),
  ]
  const codes = [...new Set(unusual)].map((sign) => `U+${hexOf(sign)}`)
  return codes.length === 0 ? text : `${text}\nContains ${codes.join(', ')}`
}

const hexOf = (sign: string): string => (sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
