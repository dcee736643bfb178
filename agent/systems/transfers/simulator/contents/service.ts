import type { Clock } from '#agent/simulator/clock.ts'
import { notFound } from '../answers.ts'
import type { FileFault, FileStep } from '../jobs/job.ts'
import { type Jobs, newJobs } from '../jobs/jobs.ts'
import type { Readings } from '../unconfirmed.ts'
import { newDiskTree, newMemoryTree, type Tree } from './tree.ts'

type StorageType = 'File' | 'Amazon S3' | 'Azure Blob Storage' | 'Google Cloud Storage' | 'Custom S3' | 'Wasabi'

/** A storage of the service. Sizes in bytes; undefined ones are unknown. */
export type Storage = {
  id: string
  name: string
  account: string
  type: StorageType
  /** Milliseconds since 1970. */
  createdAt: number
  capacityUsed: number | undefined
  capacityTotal: number | undefined
  /** Jobs of a storage whose agent is offline wait. */
  isOnline: boolean
  /** Folders that the service may not list. */
  deniedFolders: Set<string>
  tree: Tree
}

export type NewStorage = Partial<Omit<Storage, 'id' | 'tree'>> & {
  /** Folder of this machine with the files. By default, they are in memory. */
  folder?: string
}

/** Number of times a file was read as a source, written as a target, and deleted. */
export type Processed = { read: number; written: number; deleted: number }

/** State of the service. */
export type Service = {
  readings: Readings
  clock: Clock
  storages: Map<string, Storage>
  jobs: Jobs
  processed: Map<string, Processed>
  fileFaults: FileFault[]
  /** Called after each completed step of a file. */
  onFile: ((storageId: string, path: string, step: FileStep) => void) | undefined
}

export function newService(readings: Readings, clock: Clock, onFile: Service['onFile']): Service {
  return { readings, clock, storages: new Map(), jobs: newJobs(), processed: new Map(), fileFaults: [], onFile }
}

export function addStorage({ storages, clock }: Service, id: string, values: NewStorage = {}): Storage {
  const { folder, ...properties } = values
  const storage: Storage = {
    id,
    name: `Storage ${id}`,
    account: 'acme',
    type: 'File',
    createdAt: clock.now(),
    capacityUsed: 1_099_511_627_776,
    capacityTotal: undefined,
    isOnline: true,
    deniedFolders: new Set(),
    tree: folder === undefined ? newMemoryTree() : newDiskTree(folder),
    ...properties,
  }
  storages.set(id, storage)
  return storage
}

/** Storage of a call. Throws the answer for an unknown one. */
export function storageOf({ storages }: Service, id: string): Storage {
  const storage = storages.get(id)
  if (!storage) throw notFound('storage', id)
  return storage
}

export function processedOf({ processed }: Service, storageId: string, path: string): Processed {
  const key = `${storageId}:${path}`
  const counts = processed.get(key) ?? { read: 0, written: 0, deleted: 0 }
  processed.set(key, counts)
  return counts
}

/** Counts a completed step of a file. */
export function recordStep(service: Service, storageId: string, path: string, step: FileStep): void {
  const counts = processedOf(service, storageId, path)
  if (step === 'read') counts.read++
  if (step === 'write') counts.written++
  if (step === 'delete') counts.deleted++
  service.onFile?.(storageId, path, step)
}

/** Fault of a step of a file, which counts as used. */
export function takeFileFault(
  { fileFaults }: Service,
  storageId: string,
  path: string,
  step: FileFault['step'],
): string | undefined {
  const fault = fileFaults.find(
    (each) => each.storageId === storageId && each.path === path && each.step === step && each.times > 0,
  )
  if (fault) fault.times--
  return fault?.message
}
