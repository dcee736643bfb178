import type { Entry } from '#events/entries.ts'
import { InlineFailure } from '#client/ui/feedback/InlineFailure.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { hintText } from '#client/ui/text/moment.ts'
import { Chip } from '#client/ui/values/Chip.tsx'
import { contentText } from './contentWords.ts'
import type { Contents } from './useContents.ts'

const hint =
  'Result of the last content comparison. It is cleared when a scan finds a different size or modification date.'

/** Column with the result of comparing the contents of each file. */
export const contentColumn = (contents: Contents): Column<Entry> => ({
  key: 'content',
  title: 'Content',
  width: '9rem',
  room: 'medium',
  hint,
  cell: (entry) => <ContentCell entry={entry} contents={contents} />,
})

function ContentCell({ entry, contents }: { entry: Entry; contents: Contents }) {
  const { data, error, loading, retry } = contents
  if (error && !loading) return <InlineFailure error={error} retry={retry} isShort tabIndex={-1} />
  if (!data) return '…'
  const set = data.get(entry.identificationHash)
  const file = set?.files.find(({ fileId }) => fileId === entry.fileId)
  const text = contentText(file, set)
  const title = file ? `${text}. Compared ${hintText(file.comparedAt)}` : text
  if (file?.state === 'same' || file?.state === 'different')
    return (
      <Chip tone={file.state === 'same' ? 'ok' : 'attention'} title={title}>
        {text}
      </Chip>
    )
  return <span title={title}>{text}</span>
}
