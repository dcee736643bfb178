import { changedFiles, changedFolders, comparison, growth } from '#events/comparison.ts'
import { resultWindow } from '#events/entries.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useRemote } from '#client/app/remote.ts'
import { useFailureToast } from '#client/app/toasts/useFailureToast.ts'
import type { ComparedPlace, ComparisonAddress, DifferenceList } from './comparisonAddress.ts'

/** Loads the comparison of a folder with an earlier date: totals, growth, and a page of differences. */
export function useCompared({ volumeId, path }: ComparedPlace, previousDate: string, address: ComparisonAddress) {
  const { indexingDate } = useActiveDate()
  const params = { previousDate }
  const scope = { path, volumeId: volumeId === undefined ? [] : [volumeId], indexingDate }
  const { by, parts, list, kinds, owner, extension, size, sort } = address
  const page = Math.min(address.page, Math.ceil(resultWindow / size))
  const totals = useRemote(comparison, { params, query: scope }, 'snapshots')
  const order = { sort: 'growth', direction: address.growth, size: parts }
  const grown = useRemote(growth, { params, query: { ...scope, by, ...order } }, 'snapshots')
  const part = { ...(owner && { owner }), ...(extension && { extension }) }
  const paged = { ...scope, ...part, kind: kinds, page, size, sort: sort.field, direction: sort.direction }
  const inputFor = (other: DifferenceList) => (list === other ? { params, query: paged } : undefined)
  const files = useRemote(changedFiles, inputFor('files'), 'snapshots')
  const folders = useRemote(changedFolders, inputFor('folders'), 'snapshots')
  const found = list === 'files' ? files : folders
  const oneMessage = { group: 'comparison' }
  useFailureToast(totals.error, oneMessage)
  useFailureToast(grown.error, oneMessage)
  useFailureToast(found.error, oneMessage)
  return { totals, grown, found }
}
export type ComparisonData = ReturnType<typeof useCompared>
