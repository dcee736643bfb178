import { type StorNextQuestion, StorNextAnswer, type StoredFile } from '#events/actions/storNext.ts'
import type { Entry } from '#events/entries.ts'
import { subjects } from '#events/subjects.ts'
import { findEntry, hasId } from '#server/content/entries/listEntries.ts'
import { askAgent } from '#server/platform/nats/askAgent.ts'
import type { Platform } from '#server/platform/platform.ts'
import { notFound, Problem } from '#server/platform/problem.ts'
import { snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'
import { readStorNextConfig } from './configs.ts'
import { storNextPaths } from './mappings.ts'

type Services = Pick<Platform, 'db' | 'clickhouse' | 'config' | 'nats'>

/** Milliseconds that an agent may take to answer, a little longer than its own limit. */
const answerWithinMs = 30_000

/**
 * An entry of a snapshot; a file that StorNext has gets the knowledge of the Storage Manager as metadata. Throws 404 without the entry, 502
 * with the error of the Storage Manager, and 503 if the agent doesn't answer.
 */
export async function fileWithMetadata(platform: Services, fileId: string, date: string | undefined): Promise<Entry> {
  const snapshot = await snapshotOrEmpty(platform.db, 'everything', date)
  const entry = await findEntry(platform.clickhouse, snapshot, { where: hasId(fileId) })
  if (!entry) return notFound('file', fileId)
  const mapped = entry.isDirectory ? undefined : (await storNextPaths(platform.db))(entry.volumeId, entry.fullPath)
  if (!mapped) return entry
  const stored = await lookUp(platform, entry.volumeId, mapped)
  return { ...entry, metadata: { ...entry.metadata, ...metadataOf(stored) } }
}

/** Asks the agent of the storage, which is the one that reaches StorNext. */
async function lookUp(
  platform: Services,
  volumeId: number,
  { configId, path }: { configId: number; path: string },
): Promise<StoredFile | null> {
  const { agentId } = await platform.db
    .selectFrom('volumes')
    .select('agentId')
    .where('id', '=', volumeId)
    .executeTakeFirstOrThrow()
  const question: StorNextQuestion = { connection: await readStorNextConfig(platform, configId), path }
  const options = { answer: StorNextAnswer, timeoutMs: answerWithinMs }
  const answer = await askAgent(platform.nats, subjects.storNext(agentId), question, options)
  if (!answer) throw new Problem(503, 'The agent does not answer')
  if (answer.failure === null) return answer.file
  const { message, debugMessage } = answer.failure
  throw new Problem(502, message, { code: 'stornext', debugMessage })
}

/** Facts about a file on disk and tape by their labels, without those that are empty. */
function metadataOf(file: StoredFile | null): Record<string, string> {
  if (!file) return { 'StorNext Location': 'Not known to the Storage Manager' }
  const facts = {
    'StorNext Location': file.location,
    'Policy Class': file.policyClass,
    Copies: `${file.existingCopies} of ${file.targetCopies}`,
    Media: file.media.map(({ mediaId, copy }) => `${mediaId} (copy ${copy})`).join(', '),
    'Safe on Tape': file.isSafe ? 'Yes' : 'No',
    Checksums: file.checksums
      .map(({ value, segment, copy }) => `${value} (copy ${copy}, segment ${segment})`)
      .join(', '),
    'Stub Size': `${file.stubSize.toLocaleString('en-US')} bytes`,
  }
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== ''))
}
