import { ProjectDraft, type Project } from '#events/projects/calls.ts'
import { bytesOf, type SizeUnit } from '#events/search/filters.ts'
import { checkedBy } from '#client/app/form.ts'

/** Units of the allocated size. */
export const projectUnits = ['B', 'KB', 'MB', 'GB', 'TB'] as const satisfies readonly SizeUnit[]
type ProjectUnit = (typeof projectUnits)[number]

export type ChosenFolder = { volumeId: number; volumeName: string; path: string }

/** Form of a project. `amount` is free text. */
export type ProjectFields = {
  name: string
  description: string
  amount: string
  unit: ProjectUnit
  folders: ChosenFolder[]
}

export const newProject: ProjectFields = { name: '', description: '', amount: '', unit: 'TB', folders: [] }

const bytesIn = (unit: ProjectUnit): number => bytesOf(1, unit)

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

export const fieldsOf = ({ name, description, allocatedSize, projectShares }: Project): ProjectFields => ({
  name,
  description,
  ...typedSize(allocatedSize),
  folders: projectShares
    .flatMap(({ projectItems }) => projectItems)
    .map(({ volumeId, volumeName, path }) => ({ volumeId, volumeName, path })),
})

export const draftOf = ({ name, description, folders, ...size }: ProjectFields): ProjectDraft => ({
  name: name.trim(),
  description: description.trim(),
  allocatedSize: typedBytes(size) as number,
  paths: folders,
})

/** Labels of the API's fields. */
export const labels = { allocatedSize: 'Allocated Size', paths: 'Folders' }

/** Input for an error of the server's field. */
export const inputFor = (field: string): string => {
  if (field === 'allocatedSize') return 'amount'
  return /^paths\b/.test(field) ? 'folders' : field
}

/** Validation errors by field. */
export function projectErrors(fields: ProjectFields): Record<string, string> {
  // In the order of the inputs, since the first invalid one gets the focus.
  const found = Object.entries(checkedBy(ProjectDraft, labels)(draftOf(fields))).toReversed()
  const errors = Object.fromEntries(found.map(([field, message]) => [inputFor(field), message]))
  return Number.isNaN(typedBytes(fields)) ? { ...errors, amount: 'Allocated Size must be a number' } : errors
}

const isSame = (one: ChosenFolder, other: ChosenFolder): boolean =>
  one.volumeId === other.volumeId && one.path === other.path

export const isAmong = (folders: readonly ChosenFolder[], folder: ChosenFolder): boolean =>
  folders.some((known) => isSame(known, folder))

/** Adds or removes a folder. */
export const toggled = (folders: readonly ChosenFolder[], folder: ChosenFolder): ChosenFolder[] =>
  isAmong(folders, folder) ? folders.filter((known) => !isSame(known, folder)) : [...folders, folder]
