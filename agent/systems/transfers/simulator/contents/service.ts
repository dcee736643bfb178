import type { Clock } from '#agent/simulator/clock.ts'
import { newFileSteps } from '#agent/simulator/fileSteps.ts'
import { notFound } from '../answers.ts'
import { type FaultStep, type FileStep, newJobs } from '../jobs/job.ts'
import type { Readings } from '../unconfirmed.ts'
import { newDiskTree, newMemoryTree, type Tree } from './tree.ts'

type StorageType = 'File' | 'Amazon S3' | 'Azure Blob Storage' | 'Google Cloud Storage' | 'Custom S3' | 'Wasabi'

/** A storage of the service. Sizes in bytes; undefined ones are unknown. Times in milliseconds since 1970. */
const newStorage = (id: string, createdAt: number) => ({
  id,
  name: `Storage ${id}`,
  account: 'acme',
  type: 'File' as StorageType,
  createdAt,
  capacityUsed: 1_099_511_627_776 as number | undefined,
  capacityTotal: undefined as number | undefined,
  /** Jobs of a storage whose agent is offline wait. */
  isOnline: true,
  /** Folders that the service may not list. */
  deniedFolders: new Set<string>(),
})
export type Storage = ReturnType<typeof newStorage> & { tree: Tree }

/** `folder` is one of this machine with the files. By default, they are in memory. */
export type NewStorage = Partial<ReturnType<typeof newStorage>> & { folder?: string }

/** Called after each completed step of a file. */
export type OnFile = (storageId: string, path: string, step: FileStep) => void

/** State of the service. */
export type Service = ReturnType<typeof newService>

export function newService(readings: Readings, clock: Clock, onFile: OnFile | undefined) {
  const steps = newFileSteps<FileStep, string, FaultStep>((place, step) => {
    const [storageId = '', path = ''] = place.split(/:(.*)/s)
    onFile?.(storageId, path, step)
  })
  return { readings, clock, storages: new Map<string, Storage>(), jobs: newJobs(), steps }
}

/** Name of a file in the steps of the service. */
export const placeOf = ({ id }: Pick<Storage, 'id'>, path: string): string => `${id}:${path}`

export function addStorage({ storages, clock }: Service, id: string, { folder, ...values }: NewStorage = {}): Storage {
  const tree = folder === undefined ? newMemoryTree() : newDiskTree(folder)
  const storage = { ...newStorage(id, clock.now()), tree, ...values }
  storages.set(id, storage)
  return storage
}

/** Storage of a call. Throws the answer for an unknown one. */
export function storageOf({ storages }: Service, id: string): Storage {
  const storage = storages.get(id)
  if (!storage) throw notFound('storage', id)
  return storage
}
