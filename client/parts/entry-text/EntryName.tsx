import { useNameText } from '#client/ui/values/displayOptions.state.ts'
import classes from './EntryText.module.css'

/**
 * Name of a file or folder, shortened according to the display options, with the full name as tooltip. Unprintable
 * characters are made visible.
 */
export function EntryName({ name }: { name: string }) {
  const text = useNameText(name)
  return (
    <bdi className={classes.name} title={name}>
      {visible(text)}
    </bdi>
  )
}

/**
 * Replaces line breaks, other control characters and undecodable bytes by visible symbols, so that a name stays on its
 * line and in its reading order.
 */
export const visible = (text: string): string => text.replaceAll(notSeen, pictureOf)

/** Control characters, bidirectional overrides, and placeholders for undecodable bytes. */
const notSeen = /[\p{Cc}\u202a-\u202e\u2066-\u2069\uef80-\uefff]/gu

/** Unicode has symbols for the first 32 characters and DEL; other characters become a box. */
function pictureOf(sign: string): string {
  const code = sign.codePointAt(0) ?? 0
  if (code >= 0xef80) return '\ufffd'
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '\u2421' : '\u25a1'
}
