import { useActiveDate } from '#client/app/activeDate.ts'

/** Selects the previous or next snapshot, if any. */
export function useSnapshotSteps() {
  const { dates, active, choose } = useActiveDate()
  const at = dates.data?.findIndex(({ indexingDate }) => indexingDate === active?.indexingDate) ?? -1
  const to = (index: number) => {
    const date = at < 0 ? undefined : dates.data?.[index]
    return date && (() => choose(date.indexingDate))
  }
  return { isKnown: at >= 0, older: to(at + 1), newer: to(at - 1), newest: at > 0 ? to(0) : undefined }
}
