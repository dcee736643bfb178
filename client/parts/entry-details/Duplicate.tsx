import type { Entry } from '#events/entries.ts'
import { hasCopies } from '#events/search.ts'
import { useActiveDate } from '../../app/activeDate.ts'
import { useRemote } from '../../app/remote.ts'
import { Refused } from '../../ui/Refused.tsx'

/** Whether an entry of the active date has copies; asked for where the list that it comes from does not tell. */
export const Duplicate = ({ entry: { dupe, identificationHash } }: { entry: Entry }) =>
  dupe === null ? <Asked key={identificationHash} hash={identificationHash} /> : yesOrNo(dupe)

function Asked({ hash }: { hash: string }) {
  const { indexingDate } = useActiveDate()
  const { data, error, loading, retry } = useRemote(
    hasCopies,
    { params: { hash }, query: { indexingDate } },
    'snapshots',
  )
  if (data) return yesOrNo(data.dupe)
  return error && !loading ? <Refused error={error} retry={retry} /> : '…'
}

const yesOrNo = (is: boolean) => (is ? 'Yes' : 'No')
