import { separatorOf } from '#events/sources/fullPath.ts'
import { markedParts, textHint, visible } from '#client/ui/text/visible.ts'
import { usePathText } from './displayOptions.state.ts'
import classes from './PathText.module.css'

/** A path on one line. Folders are truncated, the last name is kept. The full path is in the tooltip. */
export function PathText({ path }: { path: string }) {
  const text = usePathText(path)
  const name = Math.max(0, text.lastIndexOf(separatorOf(path)))
  return (
    <span className="flex shrink small mono pre" title={textHint(path)}>
      <span className={classes.folders}>
        <MarkedText text={text.slice(0, name)} />
      </span>
      <span className={classes.name}>
        <MarkedText text={text.slice(name)} />
      </span>
    </span>
  )
}

/** A name or path, or a part of one, in which characters that are invisible or look like others are visible and marked. */
export function MarkedText({ text }: { text: string }) {
  return markedParts(visible(text)).map(({ text, isMarked }, at) =>
    isMarked ? (
      <span key={at} className={classes.marked}>
        {text}
      </span>
    ) : (
      text
    ),
  )
}
