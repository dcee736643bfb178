import { useNameText } from '#client/ui/values/displayOptions.state.ts'
import classes from './EntryText.module.css'

/** The name of a file or folder as this browser shows names; the whole of it is one hover away. Odd characters show. */
export function EntryName({ name }: { name: string }) {
  const text = useNameText(name)
  return (
    <bdi className={classes.name} title={name}>
      {visible(text)}
    </bdi>
  )
}

/**
 * Line breaks and other control characters as pictures of themselves, so that a name stays on its line and reads in its own
 * order, and bytes that are no text as what stands for such.
 */
export const visible = (text: string): string => text.replaceAll(notSeen, pictureOf)

/** Controls, those that turn the direction of what follows, and stray bytes as names have them. */
const notSeen = /[\p{Cc}\u202a-\u202e\u2066-\u2069\uef80-\uefff]/gu

/** Unicode has pictures of the first 32 characters and of the last of ASCII; the other controls are a box. */
function pictureOf(sign: string): string {
  const code = sign.codePointAt(0) ?? 0
  if (code >= 0xef80) return '\ufffd'
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '\u2421' : '\u25a1'
}
