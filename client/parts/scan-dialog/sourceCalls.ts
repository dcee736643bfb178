import type { Answer, Call, Endpoint } from '#events/contract/endpoint.ts'
import { scanVolumes } from '#events/scans/calls.ts'
import { sourceScans } from '#events/scans/sourceScans.ts'
import { archiwares } from '#events/sources/archiwares.ts'
import { buckets } from '#events/sources/buckets.ts'
import { fileStorages, fileStorageTypes } from '#events/sources/fileStorages.ts'
import { powerScales } from '#events/sources/powerScales.ts'
import type { SourceKind } from '#events/sources/kinds.ts'

/** A source to choose for a scan. `id` is that of the calls of its kind, `volumeId` that of its storage. */
export type ScannableSource = { id: number; volumeId: number; name: string; path: string }

/** The call that lists the sources of a kind, and the call that scans some of them by their ids. */
type SourceCalls<Input, Element> = {
  list: Endpoint
  input: Input
  sourceOf: (element: Element) => ScannableSource
  scan: Endpoint
}
type ElementOf<L extends Endpoint> = Answer<L> extends { elements: (infer Element)[] } ? Element : never

const calls = <L extends Endpoint>(list: L, rest: Omit<SourceCalls<Call<L>, ElementOf<L>>, 'list'>) =>
  ({ list, ...rest }) as unknown as SourceCalls<Call<Endpoint>, unknown>

/** Users do not set up more sources of a kind than one page has. */
const sortedBy = (sort: string) => ({ page: 1, size: 500, sort, direction: 'asc' }) as const

const ofFileStorages = calls(fileStorages.list, {
  input: { query: { ...sortedBy('name'), filterType: [...fileStorageTypes] } },
  sourceOf: ({ id, name, path }) => ({ id, volumeId: id, name, path }),
  scan: scanVolumes,
})

/** The calls for the sources of each kind. */
export const sourceCalls: Record<SourceKind, SourceCalls<Call<Endpoint>, unknown>> = {
  fileStorage: ofFileStorages,
  networkShare: ofFileStorages,
  bucket: calls(buckets.list, {
    input: { query: sortedBy('description') },
    sourceOf: ({ id, volumeSettingId, description, name, path }) => ({
      id,
      volumeId: volumeSettingId,
      name: description,
      path: name || path,
    }),
    scan: sourceScans.bucket,
  }),
  powerScale: calls(powerScales.list, {
    input: { query: sortedBy('dataintellName') },
    sourceOf: ({ id, volumeSettingId, dataintellName, host, path }) => ({
      id,
      volumeId: volumeSettingId,
      name: dataintellName,
      path: `${host}:${path}`,
    }),
    scan: sourceScans.powerScale,
  }),
  archiware: calls(archiwares.list, {
    input: { query: sortedBy('name') },
    sourceOf: ({ id, volumeSettingId, name, indexId, path }) => ({
      id,
      volumeId: volumeSettingId,
      name,
      path: `${indexId}: ${path}`,
    }),
    scan: sourceScans.archiware,
  }),
}
