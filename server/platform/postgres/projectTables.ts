import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { ProjectStatistics } from '#events/projects/calls.ts'
import type { ClassPrice } from '#events/price-books.ts'
import type { FolderPlace } from '#events/projects/moves.ts'
import type { Statement } from '#events/projects/statements.ts'

/** The tables of projects, their folders and their figures, and of prices. */
export type ProjectTables = {
  projects: {
    id: Generated<number>
    name: string
    description: string
    allocatedSize: number
    madeOn: Generated<string>
    statementRecipients: Generated<string[]>
  }
  projectManagers: { projectId: number; userId: number }
  projectStatements: {
    projectId: number
    month: string
    statement: JSONColumnType<Statement>
    name: string
    deletedOn: string | null
  }
  storagePrices: { id: Generated<number>; description: string; deletedAt: Date | null }
  storagePriceChanges: {
    storagePriceId: number
    since: string
    currencySymbol: string
    price: number
    classPrices: JSONColumnType<ClassPrice[]>
    changedBy: Generated<string | null>
    changedAt: Generated<Date | null>
  }
  volumePriceChanges: { volumeId: number; since: string; storagePriceId: number | null }
  /** Folders whose bytes are metrics. */
  metricFolders: { volumeId: number; path: string }
  projectFolders: {
    id: Generated<number>
    projectId: number
    volumeId: number
    path: string
    pathHash: GeneratedAlways<string>
    isNested: boolean
    currentId: number | null
    fromScan: Generated<number>
    beforeScan: Generated<number>
    checkedScan: number | null
  }
  projectMoves: {
    folderId: number
    movedTo: string
    places: JSONColumnType<FolderPlace[]>
    isRejected: Generated<boolean>
  }
  folderFigures: {
    indexingDate: string
    volumeId: number
    pathHash: string
    scanId: number
    shown: string
    isThere: boolean
    bytes: number
    apparentBytes: number
    files: number
    folders: number
    lastAccess: Date | null
    lastModified: Date | null
    statistics: JSONColumnType<ProjectStatistics>
    classBytes: JSONColumnType<Record<string, number>>
  }
  projectLinks: {
    indexingDate: string
    volumeId: number
    folderId: number
    bytes: number
    apparentBytes: number
    statistics: JSONColumnType<ProjectStatistics>
  }
  linkedDates: { indexingDate: string; shown: string; projects: string[] }
}
