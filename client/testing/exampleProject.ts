import {
  type ListedProject,
  type Project,
  type ProjectItem,
  projects,
  type ProjectShare,
  type ProjectStatistics,
} from '#events/projects/calls.ts'
import { members } from '#events/projects/members.ts'
import { searchSizes } from '#events/search/calls.ts'
import { statements } from '#events/projects/statements.ts'
import { today } from './examples.ts'
import { answer, type FakeAnswer } from './fakeApi.ts'

export const KiB = 1_024
const at = `${today}T10:00:00.000Z`
const counted = (kibibytes: number, numberOfFiles: number) => ({ sizeOfFiles: kibibytes * KiB, numberOfFiles })

/** Files without duplicates, all of them new. */
const newFiles = (kibibytes: number, files: number): ProjectStatistics => ({
  DUPLICATE: { duplicate: counted(0, 0), reclaimable: counted(0, 0) },
  MODIFIED_DATE: { '1 week': counted(kibibytes, files) },
  ACCESS_DATE: { '1 week': counted(kibibytes, files) },
})
/** 100 KiB in 4 files, of which 60 are in duplicates and 30 are old. */
const rawFilms: ProjectStatistics = {
  DUPLICATE: { duplicate: counted(60, 2), reclaimable: counted(30, 1) },
  MODIFIED_DATE: { '1 week': counted(70, 3), older: counted(30, 1) },
  ACCESS_DATE: { '1 week': counted(70, 3), '1 year': counted(30, 1) },
}

/** A tracked folder of a storage. */
const projectItem = (id: number, share: Pick<ProjectShare, 'volumeId' | 'volumeName'>, path: string): ProjectItem => ({
  ...share,
  id,
  path,
  fullPath: `/mnt${path}`,
  pathOnDate: path,
  movedTo: null,
  ...counted(0, 0),
  lastModifiedDate: at,
  lastAccessDate: at,
  statistics: newFiles(0, 0),
  isGone: false,
  isNested: false,
})

export const gold = { id: 1, description: 'Gold', currencySymbol: '$', price: 1_000_000, classes: [] }

type ShareFigures = Pick<ProjectShare, 'sizeOfFiles' | 'numberOfFiles' | 'statistics' | 'storagePrice'>

/** A storage with one folder of a project. */
const shareOf = (
  id: number,
  volumeName: string,
  path: string,
  { storagePrice, ...figures }: ShareFigures,
): ProjectShare => {
  const storage = { volumeId: id, volumeName }
  const item = { ...projectItem(id, storage, path), ...figures }
  return { ...storage, type: 'crawl.files', isDeleted: false, storagePrice, ...figures, projectItems: [item] }
}

const films = shareOf(1, 'Films', '/raw/alpine', { ...counted(100, 4), statistics: rawFilms, storagePrice: gold })
const archive = shareOf(2, 'Archive', '/alpine', { ...counted(40, 1), statistics: newFiles(40, 1), storagePrice: null })

export const filmsShare = (changes: Partial<ProjectShare> = {}, item: Partial<ProjectItem> = {}): ProjectShare => ({
  ...films,
  projectItems: films.projectItems.map((each) => ({ ...each, ...item })),
  ...changes,
})

const figures = {
  id: 1,
  name: 'Alpine',
  description: 'The winter season',
  allocatedSize: 200 * KiB,
  ...counted(140, 5),
  numberOfFolders: 2,
  lastAccessDate: at,
  lastModifiedDate: at,
  indexingDate: today,
  loadingReport: false,
}

/** A project with 100 KiB of films, which have a price, and 40 KiB of archives, which have none. */
export const exampleProject = (changes: Partial<Project> = {}): Project => ({
  ...figures,
  projectShares: [filmsShare(), archive],
  ...changes,
})

export const listedProject = (id: number, name: string, changes: Partial<ListedProject> = {}): ListedProject => ({
  ...figures,
  id,
  name,
  description: `Films of ${name}`,
  costs: [{ currencySymbol: '$', perYear: 120 }],
  movedFolders: 0,
  ...changes,
})

const month = {
  month: '2026-03',
  lastDay: '2026-03-26',
  daysWithoutData: 11,
  averageBytes: 100 * KiB,
  closedAt: null,
  isComplete: true,
}
const costs = [{ currencySymbol: '$', cost: 7.95 }]
const line = { volumeId: 1, volumeName: 'Films', storageClass: null, averageBytes: 100 * KiB }

/** Answers for the screen of a project. */
export const projectAnswers = (project = exampleProject()): FakeAnswer[] => [
  answer(projects.find, project),
  answer(projects.forecast, { indexingDate: today, days: null, earliest: null, latest: null, bytesPerDay: null }),
  answer(projects.history, [
    {
      indexingDate: today,
      sizeOfFiles: project.sizeOfFiles,
      projectShares: project.projectShares.map(({ volumeId, volumeName, sizeOfFiles }) => ({
        volumeId,
        volumeName,
        sizeOfFiles,
      })),
    },
  ]),
  answer(projects.changes, [
    { at: '2026-02-01T10:00:00.000Z', by: 'admin', added: ['Films /raw/alpine', 'Archive /alpine'], removed: [] },
    { at, by: 'ana', added: [], removed: ['Archive /old'] },
  ]),
  answer(searchSizes, { count: 2, size: 60 * KiB, reclaimable: 40 * KiB }),
  answer(statements.months, [month.month]),
  answer(statements.list, [{ ...month, costs }]),
  answer(statements.find, { ...month, costs, lines: [{ ...line, currencySymbol: '$', cost: 7.95 }] }),
  answer(statements.recipients, { addresses: [] }),
  answer(members.list, { managers: [], readers: [], users: [] }),
]
