import type { IconikAnswer } from '#events/actions/iconik.ts'
import type { StorNextAnswer } from '#events/actions/storNext.ts'
import type { TransferAnswer } from '#events/actions/transfers.ts'
import type { ArchiwareAnswer } from '#events/sources/archiwareQuestion.ts'
import type { BucketAnswer } from '#events/sources/bucketQuestion.ts'
import { subjects } from '#events/subjects.ts'
import type { Platform } from '#server/platform/platform.ts'

const bucket: BucketAnswer = { reason: null, field: null, isDenied: false, names: ['films'] }
const archiware: ArchiwareAnswer = {
  failure: null,
  names: ['Default-Archive'],
  plans: [
    {
      planId: '10001',
      planName: 'To tape',
      index: 'Default-Archive',
      deleteFiles: false,
      deleteAll: false,
      storage: 'Default-Archive',
    },
  ],
}
const iconik: IconikAnswer = {
  failure: null,
  collections: [{ id: 'c-1', title: 'Rushes', path: '' }],
  storages: [{ id: 's-1', name: 'Cloud', method: 'S3', mountPoint: '' }],
}
const transfers: TransferAnswer = { failure: null, storages: [], folders: [] }
const storNext: StorNextAnswer = {
  failure: null,
  file: {
    location: 'DISK AND TAPE',
    isOnDisk: true,
    isOnTape: true,
    isSafe: true,
    policyClass: 'films',
    existingCopies: 1,
    targetCopies: 1,
    media: [{ mediaId: 'T00001', copy: 1 }],
    checksums: [],
    size: 10,
    stubSize: 0,
    modified: '2026-01-01 10:00:00',
    raw: {},
  },
}

/** Answers the questions of the server to the built-in agent about external systems. */
export function answerAsAgent({ nats }: Pick<Platform, 'nats'>): void {
  const answers: [string, object][] = [
    [subjects.bucket(1), bucket],
    [subjects.archiware(1), archiware],
    [subjects.iconik(1), iconik],
    [subjects.transfers(1), transfers],
    [subjects.storNext(1), storNext],
  ]
  for (const [subject, answer] of answers)
    nats.connection.subscribe(subject, { callback: (_, message) => void message.respond(JSON.stringify(answer)) })
}
