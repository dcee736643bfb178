import { archiveStates, archiveStateTitles, type FileArchive } from '#events/search/archived.ts'
import { dayText } from '#client/ui/text/moment.ts'

/** Definition of the archive state of a file. */
export const archiveRule =
  'Compares the path, size and modified time of the file with the scanned Archiware P5 indexes. Contents are not compared.'

export const archiveChoices = archiveStates.map((value) => ({ value, label: archiveStateTitles[value] }))

/** `Archived since 2026-01-05 in Media` */
export function archiveText({ state, since, index }: FileArchive): string {
  const place = index === null ? '' : ` in ${index}`
  if (state === 'archived') return `Archived${since === null ? '' : ` since ${dayText(since)}`}${place}`
  if (state === 'changed') return `Changed since archived${since === null ? '' : ` on ${dayText(since)}`}${place}`
  return archiveStateTitles[state]
}
