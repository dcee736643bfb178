import { type SourceKind, sourceOfType, sources } from '#events/sources/kinds.ts'
import { storages } from '#events/storages.ts'
import { useRemote } from '#client/app/remote.ts'
import { useLicence } from '#client/app/shell/useLicence.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { type ScannableSource, sourceCalls } from './sourceCalls.ts'

/** Sources of one kind, or storages of every kind. */
export type ScanKind = SourceKind | 'any'

/** Reads the sources of a kind by name. Reads nothing without a kind, and nothing of a kind whose bundle is not licensed. */
export function useSources(kind: ScanKind | undefined): Loadable<ScannableSource[]> {
  const isLicensed = useLicence()
  const isOfOneKind = kind !== undefined && kind !== 'any'
  const source = isOfOneKind ? sources[kind] : undefined
  const calls = isOfOneKind ? sourceCalls[kind] : undefined
  const isRead = isLicensed(source && 'bundle' in source ? source.bundle : undefined)
  const ofKind = useRemote(calls?.list ?? storages, isRead ? calls?.input : undefined, 'sources')
  const ofAny = useStorages(kind === 'any')
  if (kind === 'any') return ofAny
  const page = ofKind.data as { elements: unknown[] } | undefined
  return { ...ofKind, data: calls && page?.elements.map(calls.sourceOf) }
}

/** Reads the storages of every kind by name, without those whose bundle is not licensed. Their ids are those of the storages. */
export function useStorages(isRead = true): Loadable<ScannableSource[]> {
  const isLicensed = useLicence()
  const query = { size: 500, sort: 'NAME', direction: 'asc' } as const
  const { data, ...remote } = useRemote(storages, isRead ? { query } : undefined, 'sources')
  const licensed = data?.elements.filter(({ type }) => isLicensed(sourceOfType(type)?.bundle))
  const sourceOf = ({ id, name, type }: { id: number; name: string; type: string }) => {
    const { types = {} } = sourceOfType(type) ?? {}
    return { id, volumeId: id, name, path: (types as Record<string, string>)[type] ?? type }
  }
  return { ...remote, data: licensed?.map(sourceOf) }
}
