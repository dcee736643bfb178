import { useActiveDate } from '#client/app/activeDate.ts'

/** Goes to the snapshot before or after the one that is looked at, where there is one. */
export function useSnapshotSteps() {
  const { dates, active, choose } = useActiveDate()
  const at = dates.data?.findIndex(({ indexingDate }) => indexingDate === active?.indexingDate) ?? -1
  const to = (index: number) => {
    const date = at < 0 ? undefined : dates.data?.[index]
    return date && (() => choose(date.indexingDate))
  }
  return { isKnown: at >= 0, older: to(at + 1), newer: to(at - 1), newest: at > 0 ? to(0) : undefined }
}
