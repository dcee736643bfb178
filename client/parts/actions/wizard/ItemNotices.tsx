import { maxListedEntries } from '#events/selections.ts'
import { largeSelection, largeSelectionText } from '#client/parts/selection/selection.ts'
import { FetchFailure } from '#client/ui/feedback/FetchFailure.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { Warning } from '#client/ui/feedback/Warning.tsx'
import { counted, countText } from '#client/ui/text/count.ts'
import { Size } from '#client/ui/values/Size.tsx'
import type { ItemRule, ValidItems } from './validItems.ts'

/** True if an action can be planned for the items. */
export const areUsable = (items: ValidItems | undefined): boolean =>
  items !== undefined && items.valid.count > 0 && items.entries.length <= maxListedEntries

type ItemNoticesProps = {
  items: Loadable<ValidItems>
  rule: ItemRule | undefined
  /** Size of the planned files. Without a plan, the size of the accepted items counts. */
  bytes?: number | undefined
}

/** Warnings about the selection: ignored items, too many items, and its size. */
export function ItemNotices({ items: { data, error, loading, retry }, rule, bytes }: ItemNoticesProps) {
  if (!data) return error && !loading && <FetchFailure error={error} retry={retry} />
  const { entries, valid, ignored } = data
  return (
    <>
      {ignored.count > 0 && (
        <Warning>
          {counted(ignored.count, 'item')} (<Size bytes={ignored.size} />) {ignored.count === 1 ? 'is' : 'are'} ignored.{' '}
          {rule?.text}
        </Warning>
      )}
      {entries.length > maxListedEntries && (
        <Warning>
          {`Select at most ${countText(maxListedEntries)} items, their folders, or all results of a search. ${countText(entries.length)} are selected.`}
        </Warning>
      )}
      {(bytes ?? valid.size) >= largeSelection && <Warning>{largeSelectionText}</Warning>}
    </>
  )
}
