import type { Entry } from '#events/entries.ts'
import { ProjectDraft, type Project } from '#events/projects/calls.ts'
import { type SizeUnit, unitSize } from '#events/search/filters.ts'
import { defineForm } from '#client/app/defineForm.ts'
import type { ChosenFolder } from '#client/parts/folder-picker/ManualFolder.tsx'
import { nameIn } from '#client/ui/text/path.ts'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'

/** Units of the allocated size. */
export const projectUnits = ['B', 'KB', 'MB', 'GB', 'TB'] as const satisfies readonly SizeUnit[]
type ProjectUnit = (typeof projectUnits)[number]

/** `amount` is free text. */
export type ProjectFields = {
  name: string
  description: string
  amount: string
  unit: ProjectUnit
  folders: ChosenFolder[]
}

/** In the base in which this browser shows sizes. */
const bytesIn = (unit: ProjectUnit): number => unitSize(unit, sizeSetting.base)

/** Typed size in bytes: undefined if empty, NaN if invalid. */
function typedBytes({ amount, unit }: Pick<ProjectFields, 'amount' | 'unit'>): number | undefined {
  const text = amount.trim().replace(',', '.')
  if (text === '') return undefined
  return /^\d+([.]\d+)?$/.test(text) ? Math.round(Number(text) * bytesIn(unit)) : Number.NaN
}

/** Bytes in the largest unit that gives a whole number. */
function typedSize(bytes: number): Pick<ProjectFields, 'amount' | 'unit'> {
  const unit = projectUnits.findLast((unit) => bytes % bytesIn(unit) === 0) ?? 'B'
  return { amount: String(bytes / bytesIn(unit)), unit }
}

/** Form of a project. */
export const projectForm = defineForm({
  schema: ProjectDraft,
  fields: { name: '', description: '', amount: '', unit: 'TB', folders: [] } as ProjectFields,
  fromRow: ({ name, description, allocatedSize, projectShares }: Project) => ({
    name,
    description,
    ...typedSize(allocatedSize),
    folders: projectShares
      .flatMap(({ projectItems }) => projectItems)
      .map(({ volumeId, volumeName, path }) => ({ volumeId, volumeName, path })),
  }),
  toDraft: ({ name, description, folders, ...size }): ProjectDraft => ({
    name: name.trim(),
    description: description.trim(),
    allocatedSize: typedBytes(size) as number,
    paths: folders,
  }),
  inputFor: { allocatedSize: 'amount', paths: 'folders' },
  labels: { allocatedSize: 'Allocated Size', paths: 'Folders' },
  check: (fields) => ({ amount: Number.isNaN(typedBytes(fields)) && 'Allocated Size must be a number' }),
})

type Ranked = Pick<Entry, 'path' | 'fullPath' | 'size'>

/**
 * Folders by relevance to the typed text, then by size: the same name or path first, then names that start with the text,
 * then all others. Ignores case.
 */
export function rankFolders<Folder extends Ranked>(folders: readonly Folder[], typed: string): Folder[] {
  const text = typed
    .trim()
    .toLowerCase()
    .replace(/(.)\/+$/, '$1')
  return folders
    .map((folder) => ({ folder, rank: rankOf(folder, text) }))
    .toSorted((one, other) => one.rank - other.rank || other.folder.size - one.folder.size)
    .map(({ folder }) => folder)
}

function rankOf({ path, fullPath }: Ranked, text: string): number {
  const paths = [path.toLowerCase(), fullPath.toLowerCase()]
  const name = nameIn(path).toLowerCase()
  if (name === text || paths.includes(text) || paths.some((each) => each.endsWith(`/${text}`))) return 0
  return name.startsWith(nameIn(text)) ? 1 : 2
}
