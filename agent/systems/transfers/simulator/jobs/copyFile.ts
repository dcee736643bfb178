import { placeOf, type Service, type Storage } from '../contents/service.ts'
import { newFile, type StoredFile } from '../contents/tree.ts'
import type { Job, JobFile } from './job.ts'
import { freePath } from './targets.ts'

type Storages = { source: Storage; target: Storage }

/** Copies a file, or skips it if its target exists. Records the result in the file. */
export function copyFile(service: Service, job: Job, storages: Storages, file: JobFile): void {
  const { source, target } = storages
  const { steps } = service
  const sourcePlace = placeOf(source, file.source)
  const content = source.tree.get(file.source)
  const existing = target.tree.get(file.target)
  if (!content) return fail(file, 'The source no longer exists')
  if (source === target && file.source === file.target) return fail(file, 'Source and target are the same file')
  if (existing && job.conflictHandling === 'SKIP') return void (file.result = 'skipped')
  if (existing && job.conflictHandling === 'RENAME') file.target = freePath(target.tree, file.target, service.readings)
  const targetPlace = placeOf(target, file.target)
  const failure = steps.takeFault(sourcePlace, 'read') ?? steps.takeFault(targetPlace, 'write')
  if (failure !== undefined) return fail(file, failure)
  const isCorrupted = steps.takeFault(sourcePlace, 'corrupt') !== undefined
  steps.completed(sourcePlace, 'read')
  target.tree.put(file.target, isCorrupted ? corrupted(content) : content)
  steps.completed(targetPlace, 'write')
  Object.assign(file, { result: 'copied', size: content.size, modifiedAt: content.modifiedAt })
  job.bytesDone += content.size
}

/** Deletes the source of a copied file, unless it changed after the copy. */
export function deleteSource({ steps }: Service, source: Storage, file: JobFile): void {
  const place = placeOf(source, file.source)
  const current = source.tree.get(file.source)
  const isChanged = current && (current.size !== file.size || current.modifiedAt !== file.modifiedAt)
  const failure = isChanged ? 'The source changed' : steps.takeFault(place, 'delete')
  if (failure !== undefined) return void Object.assign(file, { result: 'source kept', error: failure })
  source.tree.remove(file.source)
  file.result = 'moved'
  steps.completed(place, 'delete')
}

function fail(file: JobFile, error: string): void {
  Object.assign(file, { result: 'failed', error })
}

/** Other content of the same size. */
const corrupted = ({ content, modifiedAt }: StoredFile): StoredFile =>
  newFile(Buffer.alloc(content.length, 'x'), modifiedAt)
