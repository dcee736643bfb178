import { actionOfType } from '#events/actions/actions.ts'
import { counted, countText } from '#events/contract/counted.ts'
import { sumOfStorages } from './found.ts'
import type { FoundFiles, FoundInStorage } from './taskResults.ts'

/** Files at the target of an action, such as `11 files arrived, 1 missing`. */
export const targetText = ({ arrived, changed, missing }: NonNullable<FoundFiles['target']>): string =>
  [
    `${counted(arrived, 'file')} arrived`,
    ...(changed > 0 ? [`${countText(changed)} not the same as the original`] : []),
    ...(missing > 0 ? [`${countText(missing)} missing`] : []),
  ].join(', ')

/** Files of an action in the storage that they were selected from, such as `12 files: 2 still there, 10 gone`. */
export const storageText = ({ there, changed, gone }: Omit<FoundInStorage, 'volumeId' | 'goneBytes'>): string =>
  `${counted(there + changed + gone, 'file')}: ${[
    ...(there > 0 ? [`${countText(there)} still there`] : []),
    ...(changed > 0 ? [`${countText(changed)} changed`] : []),
    ...(gone > 0 ? [`${countText(gone)} gone`] : []),
  ].join(', ')}`

/** Words for the bytes that are gone from their storage after an action, such as `freed`. */
export function goneWords(jobType: string): string {
  const action = actionOfType(jobType)
  return action === 'quarantine' ? 'in quarantine' : action === 'putBack' ? 'missing' : 'freed'
}

/** Findings of scans about the files of an action, in one line. */
export function foundText(found: FoundFiles): string {
  const sum = sumOfStorages(found.storages)
  return [...(found.target ? [targetText(found.target)] : []), ...(sum ? [storageText(sum)] : [])].join('; ')
}
