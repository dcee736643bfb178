import { useSnapshot } from 'valtio'
import { type FolderAtDate, type FolderStatistics, folderStatistics } from '#events/folders/calls.ts'
import type { FolderPlace } from '#client/parts/folder-place/folderPlace.ts'
import { useRemote } from '#client/app/remote.ts'
import { useFailureToast } from '#client/app/toasts/useFailureToast.ts'
import { Card } from '#client/ui/Card.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { counted } from '#client/ui/text/count.ts'
import { dayText } from '#client/ui/text/moment.ts'
import { type SizeBase, sizeWords } from '#client/ui/text/size.ts'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import classes from './Folders.module.css'

/** Changes of the folder over all snapshots, in sentences. */
export function SummaryCard({ place: { volumeId, path }, history }: { place: FolderPlace; history: FolderAtDate[] }) {
  const { base } = useSnapshot(sizeSetting)
  const statistics = useRemote(folderStatistics, { query: { path, volumeId } }, 'snapshots')
  useFailureToast(statistics.error)
  return (
    <Card title="Summary" note="Over all snapshots" remote={statistics} skeleton={<Skeleton rows={3} />}>
      {(statistics) => (
        <ul className={classes.summary}>
          {summarySentences(history, statistics, base).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** Changes of a folder over all snapshots in sentences: its size, its dates, and its owner. */
const summarySentences = (history: readonly FolderAtDate[], statistics: FolderStatistics, base: SizeBase): string[] => [
  `${growthSentence(history, base)} ${rangeSentence(history, statistics, base)}`.trim(),
  [
    datesPhrase('Modified', statistics.numberOfDifferentModifiedDates, statistics.oldestModifiedDate),
    datesPhrase('accessed', statistics.numberOfDifferentLastAccessDates, statistics.oldestLastAccessDate),
    datesPhrase('created', statistics.numberOfDifferentCreationDates, statistics.oldestCreationDate),
  ].join(', ') + '.',
  ownerSentence(statistics),
]

function growthSentence(history: readonly FolderAtDate[], base: SizeBase): string {
  const [first, last] = [history[0], history.at(-1)]
  if (!first || !last) return ''
  const now = sizeWords(last.size, base)
  if (first === last) return `${now} on ${last.indexingDate}, the only snapshot.`
  const period = `between ${first.indexingDate} and ${last.indexingDate}`
  if (first.size === last.size) return `${now}, the same on ${first.indexingDate} and ${last.indexingDate}.`
  return `${first.size < last.size ? 'Grew' : 'Shrank'} from ${sizeWords(first.size, base)} to ${now} ${period}.`
}

/** Number of sizes and their range, unless they are the first and the last one. */
function rangeSentence(history: readonly FolderAtDate[], statistics: FolderStatistics, base: SizeBase): string {
  const { numberOfDifferentSizes: sizes, smallestSize, biggestSize } = statistics
  if (sizes < 2 || (sizes === 2 && history[0]?.size !== history.at(-1)?.size)) return ''
  return `${counted(sizes, 'different size')}, from ${sizeWords(smallestSize, base)} to ${sizeWords(biggestSize, base)}.`
}

function datesPhrase(verb: string, dates: number, oldest: string | null): string {
  if (dates === 0 || oldest === null) return `${verb} on an unknown date`
  return dates === 1
    ? `${verb} on ${dayText(oldest)}`
    : `${verb} on ${counted(dates, 'different date')} since ${dayText(oldest)}`
}

function ownerSentence({ numberOfDifferentOwners: owners, numberOfDifferentGroups: groups }: FolderStatistics): string {
  if (owners < 2 && groups < 2) return 'Owner and group never changed.'
  const had = (count: number, noun: string) => (count < 2 ? `the ${noun} never changed` : counted(count, noun))
  return `Had ${owners < 2 ? 'one owner' : counted(owners, 'owner')}; ${had(groups, 'group')}.`
}
