import { z } from 'zod'
import { cleanText } from '#events/contract/cleanText.ts'
import { readOutside } from '#events/contract/readOutside.ts'
import type { TransferStorage } from '#events/actions/transfers.ts'
import type { JobState, TransferJob, TransferredFile, TransferStatus } from '../engine.ts'

/*
 * The contract between this adapter and the transfer service is our own proposal: the vendor publishes the sign-in, `GET /` and the form
 * of lists, and nothing about jobs, folders, capacities, pages, errors and words. All readings of those are here, and accept variants.
 */

const text = z.coerce.string()
const orEmpty = text.nullish().transform((value) => value ?? '')

/** A number, digits, or null. */
const count = z
  .union([z.number(), z.string()])
  .nullish()
  .transform((value) => {
    const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value ?? Number.NaN)
    return Number.isFinite(number) && number >= 0 ? number : undefined
  })

const idOf = z.union([z.string(), z.number()]).transform(String)

export const Token = z.object({
  access_token: z.string().min(1),
  /** Seconds. */
  expires_in: z.coerce.number().catch(3_600),
})

/** Page of a list of at most `max` items. Both forms of its next page are the vendor's, in different places. */
export const pageOf = <T>(item: z.ZodType<T>, max: number) =>
  z.object({
    data: z.array(item).max(max),
    links: z
      .object({ next: z.union([z.string(), z.object({ href: z.string() })]).nullish() })
      .nullish()
      .catch(null),
    meta: z
      .object({ pageInfo: z.object({ endCursor: z.string().nullish(), hasNextPage: z.boolean().nullish() }).nullish() })
      .nullish()
      .catch(null),
  })
export type Page<T> = z.infer<ReturnType<typeof pageOf<T>>>

/**
 * Parameters of the next page; undefined after the last one. A link is never followed to another address. A next page without a
 * position has the parameters of the first one.
 */
export function nextPageOf(
  { links, meta }: Pick<Page<unknown>, 'links' | 'meta'>,
  query: Record<string, string>,
): Record<string, string> | undefined {
  const { endCursor, hasNextPage } = meta?.pageInfo ?? {}
  if (hasNextPage === false) return undefined
  if (hasNextPage && endCursor) return { ...query, 'page[after]': endCursor }
  const next = links?.next
  const link = typeof next === 'string' ? next : next?.href
  const parameters = new URLSearchParams(link?.split(/\?(.*)/s)[1] ?? '')
  const isLast = !hasNextPage && (link === undefined || link === '')
  return isLast ? undefined : { ...query, ...Object.fromEntries(parameters) }
}

/** Items of a page that is requested; a service may allow fewer, or not know the parameter. */
export const pageSizes = { storages: 100, files: 1_000 }

const StorageAttributes = z.object({
  name: orEmpty,
  account: orEmpty,
  type: orEmpty,
  stats: z.object({ capacityUsed: count, capacityTotal: count }).nullish().catch(null),
})

export const Storage = z
  .object({ id: idOf, attributes: StorageAttributes })
  .transform(({ id, attributes: { name, stats, ...others } }): TransferStorage => {
    const capacities = { capacityUsed: stats?.capacityUsed ?? null, capacityTotal: stats?.capacityTotal ?? null }
    return { id, name: name || id, ...others, ...capacities }
  })

export const Folder = z
  .object({ id: idOf.nullish(), attributes: z.object({ name: text, path: text.nullish() }) })
  .transform(({ id, attributes: { name, path } }) => ({ name, path: path ?? id ?? '' }))

/** The reference is also in the name, since `name` is the only attribute of a job that a public client shows. */
export const bodyOf = (job: TransferJob): object => ({
  name: `${cleanText(job.name, 200)} [${job.reference}]`,
  reference: job.reference,
  transferType: job.transferType,
  conflictHandling: job.conflictHandling,
  // Without it, folders with the same name would collide in the target.
  keepFolderStructure: true,
  target: { ...job.target, isDirectory: true },
  sources: job.sources.map((path) => {
    return { storageId: job.sourceStorageId, name: path.split('/').at(-1) ?? '', path, isDirectory: false }
  }),
})

export const Created = z.object({ data: z.object({ id: idOf }) })

export const ListedJob = z
  .object({ id: idOf, attributes: z.object({ reference: orEmpty, name: orEmpty }) })
  .transform(({ id, attributes }) => ({ id, ...attributes }))

/** True for the job with a reference, also in a list of all jobs. */
export const hasReference = ({ reference, name }: z.infer<typeof ListedJob>, wanted: string): boolean =>
  reference === wanted || name.endsWith(`[${wanted}]`)

const states: Record<JobState, RegExp> = {
  waiting: /^(queued|waiting|pending|created|scheduled)$/i,
  running: /^(running|started|scanning|analy[sz]ing|analysis|transfer(ring)?|in[ _]progress)$/i,
  succeeded: /^(succeeded|success(ful)?|completed?|done|finished)$/i,
  partial: /^(partial(ly.*)?|warning|completed[ _]with[ _](errors|warnings))$/i,
  failed: /^(failed|failure|error)$/i,
  cancelled: /^(cancell?ed|aborted)$/i,
}

export const Job = z
  .object({
    data: z.object({
      attributes: z.object({
        state: text,
        message: orEmpty,
        filesDone: count,
        filesFailed: count,
        bytesDone: count,
      }),
    }),
  })
  .transform(({ data: { attributes } }): TransferStatus => {
    const { state: word, bytesDone = 0, ...others } = attributes
    const known = Object.entries(states).find(([, words]) => words.test(word.trim()))?.[0] as JobState | undefined
    return { state: known ?? 'running', word, isWordKnown: !!known, bytesDone, ...others }
  })

const FileAttributes = z.object({
  source: text,
  target: orEmpty,
  state: text,
  message: orEmpty,
  size: count,
  checksum: z.string().nullish(),
})

const fileStates = [
  ['copied', /^(copied|moved|transferred|succeeded|success|done)$/i],
  ['skipped', /^(skipped|exists)$/i],
  ['failed', /^(failed|failure|error)$/i],
] as const

/** A file whose state has another word counts as not transferred. */
export const JobFile = z
  .object({ attributes: FileAttributes })
  .transform(({ attributes: { state: word, checksum, ...file } }): TransferredFile => {
    const state = fileStates.find(([, words]) => words.test(word.trim()))?.[0] ?? 'waiting'
    return { ...file, state, checksum: checksum || undefined }
  })

const Errors = z.object({
  errors: z
    .array(
      z.object({
        status: z.coerce.number().catch(0),
        title: orEmpty,
        detail: orEmpty,
        message: orEmpty,
      }),
    )
    .min(1)
    .max(1_000),
})

/** Errors in an answer, which may have the status of a success, with the status of the first one, 0 if it has none. */
export function errorsIn(content: unknown): { status: number; text: string } | undefined {
  const { errors } = readOutside(Errors, content).data ?? {}
  const texts = errors?.map(({ title, detail, message }) => [title, detail, message].filter(Boolean).join(': '))
  return texts && { status: errors?.[0]?.status ?? 0, text: texts.join('; ') }
}
