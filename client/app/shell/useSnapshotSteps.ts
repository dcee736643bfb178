import { useActiveDate } from '#client/app/activeDate.ts'

/** Selects the previous or next snapshot, if any. The newest is the previous one of Now. */
export function useSnapshotSteps() {
  const { dates, active, isNow, choose } = useActiveDate()
  const index = dates.data?.findIndex(({ indexingDate }) => indexingDate === active?.indexingDate) ?? -1
  const isKnown = index >= 0
  const at = isNow ? -1 : index
  const to = (index: number) => {
    const date = isKnown ? dates.data?.[index] : undefined
    return date && (() => choose(date.indexingDate))
  }
  return { isKnown, older: to(at + 1), newer: to(at - 1), newest: at === 0 ? undefined : to(0) }
}
