import {
  type ArchiwareClient,
  archiwareClients,
  type ArchiwarePlan,
  archiwarePlans,
} from '#events/sources/archiwares.ts'
import { type ActionTarget, targetOfEntries } from '#client/parts/selection/action.ts'
import { planAnswers } from './plans.ts'
import { entry } from '#client/testing/examples.ts'
import { answer, type FakeAnswer } from '#client/testing/fakeApi.ts'
import { draw } from '#client/testing/render.tsx'
import { ArchiveWizard } from '#client/parts/actions/archiware/ArchiveWizard.tsx'
import { RestoreWizard } from '#client/parts/actions/archiware/RestoreWizard.tsx'

export const archivePlan = (planId: string, changes: Partial<ArchiwarePlan> = {}): ArchiwarePlan => ({
  planId,
  planName: `Plan ${planId}`,
  index: 'Default-Archive',
  deleteFiles: false,
  deleteAll: false,
  storage: 'LTO pool',
  server: { id: 1, name: 'Built-in agent' },
  credentialsId: 7,
  credentialsName: 'Tape library',
  ...changes,
})

export const archiveClient = (
  clientName: string,
  credentialsId = 7,
  credentialsName = 'Tape library',
): ArchiwareClient => ({
  clientName,
  credentialsId,
  credentialsName,
  server: { id: 1 },
})

/** A file on a file storage, of 1 KiB. */
export const film = entry('/film.mov')
/** A file of an archive index, of 2 KiB. */
export const archived = entry('/old.mov', { volumeId: 5, size: 2_048, fullPath: '/index/old.mov' })
/** An object in a bucket, of 4 KiB. */
export const object = entry('/object', { volumeId: 4, size: 4_096 })

const wizards = { archive: ArchiveWizard, restore: RestoreWizard }

/** Opens a wizard for a selection. `closed` counts how often it was closed. */
export async function openWizard(
  wizard: keyof typeof wizards,
  target: ActionTarget = targetOfEntries([film, archived], '2026-03-01'),
  ...answers: FakeAnswer[]
) {
  const Wizard = wizards[wizard]
  let closed = 0
  const opened = await draw(<Wizard target={target} onClose={() => (closed += 1)} />, {
    answers: [
      ...planAnswers,
      answer(archiwarePlans, [archivePlan('1'), archivePlan('2', { credentialsId: 8, storage: 'Disk pool' })]),
      answer(archiwareClients, [archiveClient('north'), archiveClient('south'), archiveClient('east', 8)]),
      ...answers,
    ],
  })
  return { ...opened, closed: () => closed }
}
export type OpenedWizard = Awaited<ReturnType<typeof openWizard>>

/** Completes the steps before the review. */
export async function toReview({ person }: OpenedWizard, wizard: keyof typeof wizards): Promise<void> {
  if (wizard === 'archive') {
    await person.choose('Plan', 'Plan 1')
    await person.press('Next')
  }
  await person.choose('Client', 'north')
  await person.press('Next')
}
