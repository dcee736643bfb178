import { z } from 'zod'
import { endpoint } from '#events/contract/endpoint.ts'
import { everySource, type Source, type SourceKind } from '#events/sources/kinds.ts'
import { cloneIndex, deltaQuery, ids, launch, launched } from './launch.ts'

const scanOf = ({ scanCall, bundle, hasDelta, one }: Source) =>
  endpoint({
    ...launch,
    path: `/v1/scans/${scanCall}/ids`,
    ...(bundle && { bundle }),
    query: hasDelta ? deltaQuery(true) : z.object({ cloneIndex }),
    body: ids(one),
    answer: launched,
  })

type ScannedKind = Exclude<SourceKind, 'fileStorage' | 'networkShare'>

/** Scans storages that are not file storages, by their kind. Returns 501 with the code `not-available` if they cannot be scanned yet. */
export const sourceScans = Object.fromEntries(
  everySource.filter(({ scanCall }) => scanCall !== 'volumes').map((source) => [source.kind, scanOf(source)]),
) as Record<ScannedKind, ReturnType<typeof scanOf>>
