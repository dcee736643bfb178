import { textHint } from '#client/ui/text/visible.ts'
import { MarkedText } from '#client/ui/values/PathText.tsx'
import { useNameText } from '#client/ui/values/displayOptions.state.ts'

/**
 * Name of a file or folder, shortened according to the display options, with the full name as tooltip. Characters that are
 * invisible or look like others are marked.
 */
export function EntryName({ name }: { name: string }) {
  const text = useNameText(name)
  return (
    <bdi className="pre" title={textHint(name)}>
      <MarkedText text={text} />
    </bdi>
  )
}
