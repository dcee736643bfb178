import { useDebouncedValue } from '@mantine/hooks'
import { compareNames } from '#events/contract/names.ts'
import { projects } from '#events/projects/calls.ts'
import type { SourceType } from '#events/reports/templates.ts'
import { useRemote } from '#client/app/remote.ts'
import { useVolumesAt } from '#client/parts/storages/useVolumes.ts'
import { volumeName } from '#client/parts/storages/volumeWords.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'

/** A selectable storage or project. Size in bytes. */
export type OfferedSource = { type: SourceType; id: number; name: string; size: number }

export const sourcesOnPage = 10

/** Delay between typing and searching projects, in milliseconds. */
const debounceMs = 300

type SourceQuery = { filter: string; page: number }
type OfferedPage = Loadable<{ elements: OfferedSource[]; total: number }>

/** A page of storages or projects, filtered by name. */
export function useOfferedSources(type: SourceType, shown: SourceQuery): OfferedPage {
  const volumes = useOfferedVolumes(shown)
  const projects = useOfferedProjects(type === 'PROJECT' ? shown : undefined)
  return type === 'PROJECT' ? projects : volumes
}

function useOfferedVolumes({ filter, page }: SourceQuery): OfferedPage {
  const { data, ...remote } = useVolumesAt(undefined)
  const word = filter.trim().toLowerCase()
  const named = data?.elements
    .map((volume) => ({ type: 'VOLUME' as const, id: volume.id, name: volumeName(volume), size: volume.sizeOfFiles }))
    .filter(({ name }) => name.toLowerCase().includes(word))
    .toSorted((one, other) => compareNames(one.name, other.name))
  const first = (page - 1) * sourcesOnPage
  const elements = named?.slice(first, first + sourcesOnPage)
  return { ...remote, data: named && elements && { elements, total: named.length } }
}

function useOfferedProjects(shown: SourceQuery | undefined): OfferedPage {
  const [filter] = useDebouncedValue(shown?.filter.trim() ?? '', debounceMs)
  const order = { size: sourcesOnPage, sort: 'name', direction: 'asc' } as const
  const input = shown && { query: { ...order, filter, page: shown.page } }
  const { data, ...remote } = useRemote(projects.list, input, 'projects')
  const elements = data?.elements.map(({ id, name, sizeOfFiles }) => ({
    type: 'PROJECT' as const,
    id,
    name,
    size: sizeOfFiles,
  }))
  return { ...remote, data: data && elements && { elements, total: data.total } }
}
