import { recordStep, type Service, type Storage, takeFileFault } from '../contents/service.ts'
import { newFile, type StoredFile } from '../contents/tree.ts'
import type { Job, JobFile } from './job.ts'
import { freePath } from './targets.ts'

type Storages = { source: Storage; target: Storage }

/** Copies a file, or skips it if its target exists. Records the result in the file. */
export function copyFile(service: Service, job: Job, storages: Storages, file: JobFile): void {
  const { source, target } = storages
  const content = source.tree.get(file.source)
  const existing = target.tree.get(file.target)
  if (!content) return fail(file, 'The source no longer exists')
  if (source === target && file.source === file.target) return fail(file, 'Source and target are the same file')
  if (existing && job.conflictHandling === 'SKIP') return void (file.result = 'skipped')
  if (existing && job.conflictHandling === 'RENAME') file.target = freePath(target.tree, file.target, service.readings)
  const failure =
    takeFileFault(service, source.id, file.source, 'read') ?? takeFileFault(service, target.id, file.target, 'write')
  if (failure !== undefined) return fail(file, failure)
  const isCorrupted = takeFileFault(service, source.id, file.source, 'corrupt') !== undefined
  recordStep(service, source.id, file.source, 'read')
  target.tree.put(file.target, isCorrupted ? corrupted(content) : content)
  recordStep(service, target.id, file.target, 'write')
  Object.assign(file, { result: 'copied', size: content.size, modifiedAt: content.modifiedAt })
  job.bytesDone += content.size
}

/** Deletes the source of a copied file, unless it changed after the copy. */
export function deleteSource(service: Service, source: Storage, file: JobFile): void {
  const current = source.tree.get(file.source)
  const isChanged = current && (current.size !== file.size || current.modifiedAt !== file.modifiedAt)
  const failure = isChanged ? 'The source changed' : takeFileFault(service, source.id, file.source, 'delete')
  if (failure !== undefined) return void Object.assign(file, { result: 'source kept', error: failure })
  source.tree.remove(file.source)
  file.result = 'moved'
  recordStep(service, source.id, file.source, 'delete')
}

function fail(file: JobFile, error: string): void {
  Object.assign(file, { result: 'failed', error })
}

/** Other content of the same size. */
const corrupted = ({ content, modifiedAt }: StoredFile): StoredFile =>
  newFile(Buffer.alloc(content.length, 'x'), modifiedAt)
